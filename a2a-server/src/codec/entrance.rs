use std::sync::Arc;

use a2a_types::A2aError;
use http::HeaderMap;

use super::{Shared, activated, error_headers};
use crate::limits::Limits;
use crate::pipeline::{Incoming, Peer, Reply};

/// The way into a server, for the codec of a binding that another crate brings.
#[derive(Clone)]
pub struct Entrance {
    shared: Arc<Shared>,
    peer: Peer,
}

impl Entrance {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let peer = Peer::default();
        Self { shared, peer }
    }

    /// For the requests of this peer. Their extensions need not say who it is.
    pub(crate) fn of_peer(&self, peer: Peer) -> Self {
        let shared = Arc::clone(&self.shared);
        Self { shared, peer }
    }

    /// Makes a call: every rule of the protocol is behind this.
    ///
    /// # Errors
    ///
    /// What the caller is to be told.
    pub async fn call(&self, incoming: Incoming) -> Result<Reply, A2aError> {
        let peer = self.peer.clone();
        self.shared.calls.call(incoming.or_from(peer)).await
    }

    /// What one call may use up.
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// Adds to the headers of an answer which extensions are in use for the call.
    pub fn reply_headers(&self, reply: &Reply, headers: &mut HeaderMap) {
        activated(reply.activated_extensions(), headers);
    }

    /// Adds what goes with an error to the headers of its answer: `Retry-After`, and the
    /// `WWW-Authenticate` challenges.
    pub fn error_headers(&self, error: &A2aError, headers: &mut HeaderMap) {
        error_headers(error, &self.shared.challenges, headers);
    }
}

impl std::fmt::Debug for Entrance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entrance").finish_non_exhaustive()
    }
}
