//! Calls that a stranger asked for, kept away from what strangers must not reach.
//!
//! A webhook's address comes from whoever talks to the agent (A2A §13.2). [`Guard`] is the only way
//! out of this crate: it reads the address once, checks it against the [`Policy`], and lets the HTTP
//! client connect to addresses alone that have been checked. A name is resolved once for each
//! connection, by the guard, and the client gets no addresses from elsewhere. A connection that is
//! used again was checked when it was made.

mod address;
mod guard;
mod header;
mod policy;
mod resolve;
mod tls;

#[cfg(test)]
mod corpus;

pub use self::guard::{Answer, Failure, Guard, GuardBuilder, SetupError};
#[cfg(feature = "receiver")]
pub(crate) use self::header::TOKEN_HEADERS;
pub use self::header::{InvalidHeader, credentials};
pub use self::policy::{Policy, Refusal};
pub use self::resolve::{Resolver, SystemResolver};
