//! Extensions (A2A §4.6): their lists in headers, and the one that these crates define.

mod list;
mod safe_resends;

pub use self::list::Extensions;
pub use self::safe_resends::{ResendCallers, SafeResends};
