//! What must not be reached, in every way of writing it that we know.
//!
//! Nothing here can leave the machine, even when a check is broken: a literal address ends at
//! the wall, which stands in the place of the HTTP client's connector, and what a name resolves to
//! ends in a recorder, which stands in the place of its resolver.

mod lists;
mod walls;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use self::lists::{ANSWERS, HOSTS, URLS};
use self::walls::{Script, Walls};
use super::{Failure, Policy, Refusal};

// R116, A2A-13.2-05
#[tokio::test]
async fn no_spelling_of_an_inner_address_is_registered_or_called() {
    let hosts = HOSTS.iter().map(|host| format!("https://{host}/hook"));
    let urls: Vec<String> = hosts
        .chain(URLS.iter().map(|url| (*url).to_owned()))
        .collect();
    assert!(urls.len() + ANSWERS.len() >= 150);
    let walls = Walls::solid(Policy::default());
    for url in urls {
        assert!(
            walls.guard.check(&url).await.is_err(),
            "registered: {url:?}"
        );
        let refused = walls.post(&url).await;
        assert!(
            matches!(refused, Err(Failure::Refused(_))),
            "called: {url:?} {refused:?}"
        );
    }
    assert_eq!(walls.connections(), 0);
    assert_eq!(walls.let_through(), Vec::<IpAddr>::new());
}

#[tokio::test]
async fn plain_http_does_not_open_more_hosts() {
    let walls = Walls::solid(Policy::default().with_plain_http().with_any_port());
    for host in HOSTS {
        for url in [format!("http://{host}/"), format!("http://{host}:8080/")] {
            let refused = walls.post(&url).await;
            assert!(
                matches!(refused, Err(Failure::Refused(_))),
                "called: {url:?}"
            );
        }
    }
    assert_eq!(walls.connections(), 0);
}

// R116
#[tokio::test]
async fn no_answer_of_a_resolver_leads_inside() {
    for answer in ANSWERS {
        let script = Script::default().with("hooks.example.com", &[answer]);
        let walls = Walls::resolving(Policy::default(), script);
        for url in [
            "https://hooks.example.com/",
            "https://HOOKS.example.com:8443/",
            "https://hooks.example.com./",
        ] {
            let registered = walls.guard.check(url).await;
            assert_eq!(registered, Err(Refusal::Address), "registered: {answer:?}");
            let refused = walls.post(url).await;
            assert!(
                matches!(refused, Err(Failure::Refused(Refusal::Address))),
                "called: {answer:?} {refused:?}"
            );
        }
        assert_eq!(walls.let_through(), Vec::<IpAddr>::new(), "{answer:?}");
    }
}

// R116: the name is harmless when it is registered, and not when it is called.
#[tokio::test]
async fn a_name_that_changes_its_mind_is_refused_at_delivery() {
    for inside in ANSWERS {
        let script = Script::default().with("rebind.example.com", &[&["93.184.215.14"], inside]);
        let walls = Walls::resolving(Policy::default(), script);
        let url = "https://rebind.example.com/";
        assert_eq!(walls.guard.check(url).await, Ok(()));
        let refused = walls.post(url).await;
        assert!(
            matches!(refused, Err(Failure::Refused(Refusal::Address))),
            "{inside:?}"
        );
        assert_eq!(walls.let_through(), Vec::<IpAddr>::new(), "{inside:?}");
    }
}

// The client connects to the answer that was checked: there is no second one.
#[tokio::test]
async fn a_name_is_resolved_once_for_an_attempt() {
    let answers: &[&[&str]] = &[&["93.184.215.14", "2606:4700:4700::1111"], &["127.0.0.1"]];
    let script = Script::default().with("hooks.example.com", answers);
    let walls = Walls::resolving(Policy::default(), script);
    let unreachable = walls.post("https://hooks.example.com/").await;
    assert!(
        matches!(unreachable, Err(Failure::Network(_))),
        "{unreachable:?}"
    );
    let expected: [IpAddr; 2] = [
        Ipv4Addr::new(93, 184, 215, 14).into(),
        Ipv6Addr::new(0x2606, 0x4700, 0x4700, 0, 0, 0, 0, 0x1111).into(),
    ];
    assert_eq!(walls.let_through(), expected);
}

#[tokio::test]
async fn a_name_that_does_not_resolve_yet_is_registered_and_fails_at_delivery() {
    let walls = Walls::resolving(Policy::default(), Script::default());
    let url = "https://not-yet.example.com/";
    assert_eq!(walls.guard.check(url).await, Ok(()));
    let failed = walls.post(url).await;
    assert!(matches!(failed, Err(Failure::Network(_))), "{failed:?}");
    // A name without addresses is no better.
    let script = Script::default().with("empty.example.com", &[&[]]);
    let walls = Walls::resolving(Policy::default(), script);
    let url = "https://empty.example.com/";
    assert_eq!(walls.guard.check(url).await, Ok(()));
    assert!(matches!(walls.post(url).await, Err(Failure::Network(_))));
}

// The corpus can fail: a policy that allows everything lets the same things get to the walls.
#[tokio::test]
async fn without_the_policy_the_corpus_would_connect() {
    let walls = Walls::solid(everything());
    let literals: Vec<_> = HOSTS
        .iter()
        .filter(|host| host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok())
        .collect();
    assert!(literals.len() >= 80);
    let mut tried = 0;
    for host in literals {
        if walls
            .post(&format!("https://{host}/"))
            .await
            .is_err_and(|error| matches!(error, Failure::Network(_)))
        {
            tried += 1;
        }
    }
    assert_eq!(walls.connections(), tried);
    assert!(tried >= 80, "{tried}");

    for answer in ANSWERS {
        let script = Script::default().with("hooks.example.com", &[answer]);
        let walls = Walls::resolving(everything(), script);
        assert!(walls.post("https://hooks.example.com/").await.is_err());
        let expected: Vec<IpAddr> = answer.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(walls.let_through(), expected);
    }
}

#[tokio::test]
async fn what_is_public_may_be_called() {
    let walls = Walls::solid(Policy::default());
    for url in [
        "https://8.8.8.8/hook",
        "https://93.184.215.14:8443/hook?token=1#part",
        "https://[2606:4700:4700::1111]/",
        "HTTPS://1.1.1.1",
    ] {
        assert_eq!(walls.guard.check(url).await, Ok(()), "{url}");
        assert!(
            matches!(walls.post(url).await, Err(Failure::Network(_))),
            "{url}"
        );
    }
    assert_eq!(walls.connections(), 4);
    for url in [
        "https://b\u{fc}cher.example/",
        "https://xn--bcher-kva.example:443/",
    ] {
        assert_eq!(walls.guard.check(url).await, Ok(()), "{url}");
    }
}

// A2A-13.2-05: the allow-lists
#[test]
fn each_allowance_opens_what_it_says_and_no_more() {
    let network = |text: &str| Policy::default().with_network(text.parse().unwrap());
    for (policy, allowed, refused) in [
        (
            Policy::default().with_private_networks(),
            &[
                "https://10.0.0.1/",
                "https://127.0.0.1/",
                "https://localhost/",
                "https://[fd12::1]/",
            ][..],
            &[
                "https://169.254.169.254/",
                "https://[fd00:ec2::254]/",
                "https://[fe80::1]/",
                "https://[::ffff:10.0.0.1]/",
                "https://0.0.0.0/",
                "https://224.0.0.1/",
                "http://10.0.0.1/",
            ][..],
        ),
        (
            network("10.1.0.0/16"),
            &["https://10.1.255.255/", "https://8.8.8.8/"],
            &[
                "https://10.2.0.1/",
                "https://[::ffff:10.1.0.1]/",
                "https://167837697/",
            ],
        ),
        (
            network("169.254.169.254/32"),
            &["https://169.254.169.254/"],
            &["https://169.254.169.253/"],
        ),
        (
            network("fe80::/10"),
            &["https://[fe80::1]/"],
            &["https://[fec0::1]/"],
        ),
        (
            Policy::default().with_host("localhost"),
            &["https://localhost/", "https://LOCALHOST./"],
            &["https://127.0.0.1/", "https://a.localhost/"],
        ),
        (
            Policy::default().with_host("*.localhost"),
            &["https://a.localhost/", "https://a.b.localhost./"],
            &["https://localhost/", "https://alocalhost:22/"],
        ),
        (
            Policy::default().with_host("10.0.0.7"),
            &["https://10.0.0.7/"],
            &["https://10.0.0.8/"],
        ),
        (
            Policy::default().with_port(9000),
            &["https://a.example:9000/", "https://a.example/"],
            &["https://a.example:9001/"],
        ),
        (
            Policy::default().with_any_port(),
            &["https://a.example:1/"],
            &["https://10.0.0.1:1/"],
        ),
        (
            Policy::default().with_plain_http(),
            &["http://a.example/", "https://a.example/"],
            &["http://a.example:8080/", "ftp://a.example/"],
        ),
        (
            Policy::default().only_hosts(["*.corp.example", "hooks.example"]),
            &["https://a.corp.example/", "https://HOOKS.example./"],
            &[
                "https://corp.example/",
                "https://evilcorp.example/",
                "https://8.8.8.8/",
            ],
        ),
        (
            Policy::default().only_hosts(["*"]),
            &[],
            &["https://a.example/", "https://8.8.8.8/"],
        ),
        (
            Policy::loopback(),
            &[
                "http://127.0.0.1:1/",
                "https://localhost:2/",
                "http://[::1]:3/",
            ],
            &[
                "http://127.0.0.2/",
                "http://10.0.0.1/",
                "http://a.example/",
                "ftp://localhost/",
            ],
        ),
        (
            Policy::default().with_loopback(),
            &[
                "http://127.0.0.1:1/",
                "https://localhost:2/",
                "http://[::1]:3/",
                "https://a.example/",
            ],
            &[
                "http://127.0.0.2/",
                "http://a.localhost/",
                "https://10.0.0.1/",
                "http://a.example/",
                "https://a.example:1/",
                "ftp://localhost/",
            ],
        ),
    ] {
        for url in allowed {
            assert!(policy.target(url).is_ok(), "{url} with {policy:?}");
        }
        for url in refused {
            assert!(policy.target(url).is_err(), "{url} with {policy:?}");
        }
    }
}

// An allowed name may be anywhere in a private network, and never where nobody is.
#[tokio::test]
async fn an_allowed_host_may_resolve_to_a_private_address() {
    let script = Script::default()
        .with("hooks.corp.example", &[&["10.0.0.1", "fd12::1"]])
        .with("other.example", &[&["10.0.0.1"]])
        .with("meta.corp.example", &[&["169.254.169.254"]]);
    let walls = Walls::resolving(Policy::default().with_host("*.corp.example"), script);
    assert_eq!(
        walls.guard.check("https://hooks.corp.example/").await,
        Ok(())
    );
    for url in ["https://other.example/", "https://meta.corp.example/"] {
        assert_eq!(walls.guard.check(url).await, Err(Refusal::Address), "{url}");
    }
    assert!(walls.post("https://hooks.corp.example/").await.is_err());
    assert_eq!(walls.let_through().len(), 2);
}

// A refusal tells a stranger nothing about the network behind.
#[tokio::test]
async fn a_refusal_does_not_show_what_a_name_resolves_to() {
    let script = Script::default().with("db.corp.example", &[&["10.20.30.40"]]);
    let walls = Walls::resolving(Policy::default(), script);
    let refusal = walls
        .guard
        .check("https://db.corp.example/")
        .await
        .unwrap_err();
    assert!(!refusal.to_string().contains("10.20"), "{refusal}");
    let long = format!("https://example.com/{}", "a".repeat(2048));
    assert_eq!(walls.guard.check(&long).await, Err(Refusal::TooLong));
}

fn everything() -> Policy {
    Policy::default()
        .with_plain_http()
        .with_any_port()
        .with_network("0.0.0.0/0".parse().unwrap())
        .with_network("::/0".parse().unwrap())
}
