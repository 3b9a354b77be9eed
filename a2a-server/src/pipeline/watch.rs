use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use a2a_types::A2aError;
use futures::StreamExt;
use futures::stream;
use http::HeaderMap;
use tokio::time::{Instant, Sleep};

use super::reply::{EventStream, Reply, ReplyBody, StreamItem};
use crate::auth::{Authenticator, Credentials, PeerCertificates, Principal};

/// As far ahead as anything is planned.
const FAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Looks again, while a stream is open, at the credentials that it was opened with: they can expire
/// and be revoked (A2A §13.4).
pub(super) struct Watch {
    pub(super) authenticator: Arc<dyn Authenticator>,
    pub(super) headers: HeaderMap,
    pub(super) query: String,
    pub(super) peer: Option<SocketAddr>,
    pub(super) certificates: Option<PeerCertificates>,
    /// Who opened the stream.
    pub(super) caller: Principal,
    /// How often to look, besides when the credentials expire.
    pub(super) every: Option<Duration>,
}

impl Watch {
    /// Ends the reply, if it is a stream, as soon as its credentials hold no more.
    pub(super) fn over(self, mut reply: Reply) -> Reply {
        if let ReplyBody::Stream(EventStream { first, events }) = reply.body {
            let due = Box::pin(tokio::time::sleep(self.pause()));
            let watched = Watched {
                events,
                watch: self,
                due,
            };
            let events = stream::unfold(Some(watched), |watched| async { watched?.step().await });
            reply.body = ReplyBody::Stream(EventStream {
                first,
                events: events.boxed(),
            });
        }
        reply
    }

    /// How long the credentials are good for without being looked at.
    fn pause(&self) -> Duration {
        // In the past means now.
        let left = |expiry: SystemTime| {
            let left = expiry.duration_since(SystemTime::now());
            left.unwrap_or_default()
        };
        let left = self.caller.expiry().map(left);
        let pauses = left.into_iter().chain(self.every);
        pauses.fold(FAR, Duration::min)
    }

    async fn check(&mut self) -> Result<(), A2aError> {
        let credentials = Credentials {
            headers: &self.headers,
            query: &self.query,
            peer: self.peer,
            certificates: self.certificates.as_ref(),
        };
        let known = self.authenticator.authenticate(&credentials).await?;
        let expired = known
            .expiry()
            .is_some_and(|expiry| expiry <= SystemTime::now());
        if expired || known.id() != self.caller.id() {
            return Err(A2aError::unauthenticated(
                "the credentials of this stream hold no more",
            ));
        }
        self.caller = known;
        Ok(())
    }
}

type Events = Pin<Box<dyn futures::Stream<Item = Batch> + Send>>;
type Batch = Result<Vec<StreamItem>, A2aError>;

struct Watched {
    events: Events,
    watch: Watch,
    /// When to look again.
    due: Pin<Box<Sleep>>,
}

impl Watched {
    async fn step(mut self) -> Option<(Batch, Option<Self>)> {
        loop {
            tokio::select! {
                biased;
                () = &mut self.due => {
                    if let Err(error) = self.watch.check().await {
                        let peer = self.watch.peer.map(tracing::field::display);
                        tracing::warn!(peer, "the credentials of an open stream hold no more");
                        return Some((Err(error), None));
                    }
                    let pause = self.watch.pause();
                    self.due.as_mut().reset(Instant::now() + pause);
                }
                batch = self.events.next() => return Some((batch?, Some(self))),
            }
        }
    }
}
