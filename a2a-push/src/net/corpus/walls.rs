//! A guard from which nothing gets out.

use std::collections::HashMap;
use std::future::ready;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::HeaderMap;
use reqwest::dns::{Name, Resolve, Resolving};
use tower::{Layer, Service};

use crate::net::policy::Policy;
use crate::net::resolve::{Checked, Resolver};
use crate::net::{Answer, Failure, Guard};

/// In the place of the connector: counts who wants a connection, and lets through at most those
/// who have to resolve a name first.
#[derive(Clone)]
struct Wall {
    names_pass: bool,
    asked: Arc<AtomicUsize>,
}

#[derive(Clone)]
struct Walled<S> {
    wall: Wall,
    inner: S,
}

impl<S> Layer<S> for Wall {
    type Service = Walled<S>;

    fn layer(&self, inner: S) -> Walled<S> {
        Walled {
            wall: self.clone(),
            inner,
        }
    }
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

impl<R, S> Service<R> for Walled<S>
where
    S: Service<R, Error = BoxError>,
    S::Response: Send + 'static,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        self.wall.asked.fetch_add(1, Ordering::SeqCst);
        if self.wall.names_pass {
            Box::pin(self.inner.call(request))
        } else {
            Box::pin(ready(Err("the wall".into())))
        }
    }
}

/// In the place of the client's resolver: keeps the addresses that the client would have got.
struct Recorded {
    checked: Checked,
    let_through: Arc<Mutex<Vec<IpAddr>>>,
}

impl Resolve for Recorded {
    fn resolve(&self, name: Name) -> Resolving {
        let answer = self.checked.resolve(name);
        let let_through = Arc::clone(&self.let_through);
        Box::pin(async move {
            let addresses = answer.await?.map(|address| address.ip());
            lock(&let_through).extend(addresses);
            Err("the wall".into())
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers from a list; each lookup of a name gets the next answer, and the last one forever.
#[derive(Clone, Default)]
pub(super) struct Script(Arc<Mutex<HashMap<String, Vec<Vec<IpAddr>>>>>);

impl Script {
    pub(super) fn with(self, name: &str, answers: &[&[&str]]) -> Self {
        let parse = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        let answers = answers.iter().rev().map(parse).collect();
        lock(&self.0).insert(name.to_owned(), answers);
        self
    }
}

#[async_trait]
impl Resolver for Script {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = lock(&self.0);
        match names.get_mut(name.trim_end_matches('.')) {
            Some(answers) if answers.len() > 1 => Ok(answers.pop().unwrap()),
            Some(answers) => Ok(answers.last().cloned().unwrap()),
            None => Err(io::Error::other("no such name")),
        }
    }
}

/// A guard from which nothing gets out.
pub(super) struct Walls {
    pub(super) guard: Guard,
    connections: Arc<AtomicUsize>,
    let_through: Arc<Mutex<Vec<IpAddr>>>,
}

impl Walls {
    pub(super) fn around(policy: Policy, script: Script, names_pass: bool) -> Self {
        let connections = Arc::new(AtomicUsize::new(0));
        let let_through = Arc::new(Mutex::new(Vec::new()));
        let wall = Wall {
            names_pass,
            asked: Arc::clone(&connections),
        };
        let recorded = Recorded {
            checked: Checked {
                policy: Arc::new(policy.clone()),
                resolver: Arc::new(script.clone()),
                trusted: None,
            },
            let_through: Arc::clone(&let_through),
        };
        let guard = Guard::builder(policy)
            .with_resolver(script)
            .build_with(|client| client.dns_resolver(recorded).connector_layer(wall))
            .unwrap();
        Self {
            guard,
            connections,
            let_through,
        }
    }

    /// For literals: nothing passes the connector.
    pub(super) fn solid(policy: Policy) -> Self {
        Self::around(policy, Script::default(), false)
    }

    /// For names: the connector may ask for addresses, and gets none.
    pub(super) fn resolving(policy: Policy, script: Script) -> Self {
        Self::around(policy, script, true)
    }

    pub(super) async fn post(&self, url: &str) -> Result<Answer, Failure> {
        let (headers, body) = (HeaderMap::new(), Bytes::from_static(b"{}"));
        let timeout = Duration::from_secs(20);
        self.guard.post(url, headers, body, timeout, 1024).await
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(super) fn let_through(&self) -> Vec<IpAddr> {
        lock(&self.let_through).clone()
    }
}
