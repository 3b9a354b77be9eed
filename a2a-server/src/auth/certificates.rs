use std::fmt;
use std::sync::Arc;

/// The certificates that a peer has shown when its connection was made, and that were verified
/// then.
///
/// An [`Authenticator`](super::Authenticator) finds them in its
/// [`Credentials`](super::Credentials). An application that does its own TLS puts them into the
/// extensions of each request.
#[derive(Clone)]
pub struct PeerCertificates(Arc<[Vec<u8>]>);

impl PeerCertificates {
    /// The chain in DER, the peer's own certificate first.
    pub fn new(chain: impl IntoIterator<Item = impl Into<Vec<u8>>>) -> Self {
        Self(chain.into_iter().map(Into::into).collect())
    }

    /// The peer's own certificate in DER.
    pub fn leaf(&self) -> Option<&[u8]> {
        self.chain().next()
    }

    /// The chain in DER, the peer's own certificate first.
    pub fn chain(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(Vec::as_slice)
    }
}

impl fmt::Debug for PeerCertificates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PeerCertificates")
            .field(&self.0.len())
            .finish()
    }
}
