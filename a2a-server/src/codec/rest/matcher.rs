use std::borrow::Cow;

use a2a_types::OperationId;
use a2a_types::operation::{HttpMethod, HttpRule, Segment};
use http::Method;
use percent_encoding::percent_decode_str;

/// What a path stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Matched {
    /// An operation, with the values that the path binds, by proto name.
    Operation(OperationId, Vec<(&'static str, String)>),
    /// A known path with a verb that it does not have; these it has.
    WrongVerb(Vec<&'static str>),
    /// A known path with a value that is no text.
    Undecodable(&'static str),
    /// Not one of ours.
    Nothing,
}

/// Finds the operation for a request. `path` is as it came, still percent-encoded: a value that
/// holds an encoded `/` or `:` stays one value.
pub(super) fn find(method: &Method, path: &str) -> Matched {
    let Some(path) = path.strip_prefix('/') else {
        return Matched::Nothing;
    };
    let segments: Vec<&str> = path.split('/').collect();
    // The plain forms come first: a literal first segment is never a tenant.
    for form in 0..2 {
        let mut allowed = Vec::new();
        for id in OperationId::ALL {
            let Some(rule) = id.spec().http.get(form) else {
                continue;
            };
            let Some(values) = fit(rule, &segments) else {
                continue;
            };
            if !verbs(id, rule).any(|verb| *method == *verb) {
                allowed.extend(verbs(id, rule));
                continue;
            }
            return bind(values).map_or_else(Matched::Undecodable, |values| {
                Matched::Operation(id, values)
            });
        }
        if !allowed.is_empty() {
            return Matched::WrongVerb(allowed);
        }
    }
    Matched::Nothing
}

/// The verbs of a rule. A subscription may be asked for by POST as well: the prose of the
/// specification says so (A2A §11.3.2), the proto says GET.
fn verbs(id: OperationId, rule: &HttpRule) -> impl Iterator<Item = &'static str> + use<> {
    let subscribe = id == OperationId::SubscribeToTask && rule.method == HttpMethod::Get;
    [rule.method.as_str()]
        .into_iter()
        .chain(subscribe.then_some("POST"))
}

/// The values of a rule's fields, still encoded, when the path fits it.
fn fit<'a>(rule: &HttpRule, segments: &[&'a str]) -> Option<Vec<(&'static str, &'a str)>> {
    if rule.segments.len() != segments.len() {
        return None;
    }
    let mut values = Vec::new();
    let last = segments.len().checked_sub(1)?;
    for (index, (pattern, segment)) in rule.segments.iter().zip(segments).enumerate() {
        let segment = match rule.verb.filter(|_| index == last) {
            Some(verb) => segment.strip_suffix(verb)?.strip_suffix(':')?,
            None => segment,
        };
        match pattern {
            Segment::Literal(text) if segment == *text => {}
            Segment::Literal(_) => return None,
            Segment::Field(name) => {
                let custom_verb = rule.verb.is_none() && index == last && ends_in_verb(segment);
                if segment.is_empty() || custom_verb {
                    return None;
                }
                values.push((*name, segment));
            }
        }
    }
    Some(values)
}

/// `/tasks/x:cancel` is never the task `x:cancel`; any other colon belongs to the id.
fn ends_in_verb(segment: &str) -> bool {
    let verb = |id: OperationId| id.spec().http.first().and_then(|rule| rule.verb);
    OperationId::ALL.into_iter().filter_map(verb).any(|verb| {
        segment
            .strip_suffix(verb)
            .is_some_and(|id| id.ends_with(':') && id.len() > 1)
    })
}

fn bind(values: Vec<(&'static str, &str)>) -> Result<Vec<(&'static str, String)>, &'static str> {
    let decode = |(name, value)| {
        let value = percent_decode_str(value).decode_utf8().map(Cow::into_owned);
        value.map(|value| (name, value)).map_err(|_| name)
    };
    values.into_iter().map(decode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(method: Method, path: &str) -> (OperationId, Vec<(&'static str, String)>) {
        match find(&method, path) {
            Matched::Operation(id, values) => (id, values),
            other => panic!("{method} {path}: {other:?}"),
        }
    }

    // A2A-5.3-01, A2A-11.3-01
    #[test]
    fn every_template_is_routed_plain_and_below_a_tenant() {
        for id in OperationId::ALL {
            for rule in id.spec().http {
                let mut text = String::new();
                let mut expected = Vec::new();
                for segment in rule.segments {
                    text.push('/');
                    match segment {
                        Segment::Literal(literal) => text.push_str(literal),
                        Segment::Field(name) => {
                            text.push_str(&format!("v-{name}"));
                            expected.push((*name, format!("v-{name}")));
                        }
                    }
                }
                if let Some(verb) = rule.verb {
                    text.push(':');
                    text.push_str(verb);
                }
                let method = Method::from_bytes(rule.method.as_str().as_bytes()).unwrap();
                assert_eq!(path(method, &text), (id, expected), "{text}");
            }
        }
    }

    // R043
    #[test]
    fn subscribe_has_two_verbs_and_never_falls_into_get_task() {
        for method in [Method::GET, Method::POST] {
            let (id, values) = path(method, "/tasks/abc:subscribe");
            assert_eq!(id, OperationId::SubscribeToTask);
            assert_eq!(values, [("id", "abc".to_owned())]);
        }
        let wrong = find(&Method::GET, "/tasks/abc:cancel");
        assert_eq!(wrong, Matched::WrongVerb(vec!["POST"]));
    }

    // R045, D42
    #[test]
    fn odd_ids_stay_one_value() {
        for (raw, id) in [
            ("a%2Fb", "a/b"),
            ("a:b", "a:b"),
            ("x%3Acancel", "x:cancel"),
            ("50%25", "50%"),
            ("a%20b", "a b"),
            ("..", ".."),
            ("%C3%A9", "é"),
            ("a%3Fb%23c", "a?b#c"),
            ("%2525", "%25"),
        ] {
            let (found, values) = path(Method::GET, &format!("/tasks/{raw}"));
            assert_eq!((found, &*values[0].1), (OperationId::GetTask, id));
            let (found, values) = path(Method::POST, &format!("/tasks/{raw}:cancel"));
            assert_eq!((found, &*values[0].1), (OperationId::CancelTask, id));
        }
        assert_eq!(find(&Method::GET, "/tasks/%FF"), Matched::Undecodable("id"));
    }

    #[test]
    fn a_literal_first_segment_is_never_a_tenant() {
        let (id, values) = path(Method::GET, "/tasks/tasks");
        assert_eq!(
            (id, values),
            (OperationId::GetTask, vec![("id", "tasks".to_owned())])
        );
        let (id, values) = path(Method::GET, "/acme/tasks");
        assert_eq!(
            (id, values),
            (OperationId::ListTasks, vec![("tenant", "acme".to_owned())])
        );
    }

    #[test]
    fn only_our_templates_are_claimed() {
        for other in [
            "/",
            "/other",
            "/tasks/",
            "/tasks//x",
            "/a/b/c",
            "/message",
            "/v1/x/tasks",
        ] {
            assert_eq!(find(&Method::GET, other), Matched::Nothing, "{other}");
        }
    }
}
