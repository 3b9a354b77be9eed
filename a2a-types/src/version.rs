//! Protocol versions, as the `A2A-Version` header and the card name them (A2A §3.6).

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A version of the protocol. Patch numbers play no part in it (A2A §3.6).
///
/// ```
/// use a2a_types::Version;
///
/// assert_eq!("1.0.7".parse(), Ok(Version::V1_0));
/// assert_eq!(Version::V1_0.to_string(), "1.0");
/// assert_ne!("0.30".parse(), Ok(Version::V0_3));
/// assert!("v1".parse::<Version>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_structs,
    reason = "the protocol has fixed the form of a version"
)]
pub struct Version {
    /// Grows with breaking changes.
    pub major: u16,
    /// Grows with compatible changes.
    pub minor: u16,
}

impl Version {
    /// Version 1.0, which this crate speaks.
    pub const V1_0: Self = Self::new(1, 0);
    /// Version 0.3, which a request without a version means.
    pub const V0_3: Self = Self::new(0, 3);

    /// The version `major.minor`.
    #[must_use]
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }

    /// The version that a request asks for: a missing or blank value means 0.3 (A2A §3.6.2).
    ///
    /// # Errors
    ///
    /// When the value is there but is no version.
    pub fn requested(value: Option<&str>) -> Result<Self, InvalidVersion> {
        match value.map(str::trim) {
            None | Some("") => Ok(Self::V0_3),
            Some(value) => value.parse(),
        }
    }
}

impl FromStr for Version {
    type Err = InvalidVersion;

    /// Reads `Major.Minor`, with blanks around it, a patch number behind it (which is ignored),
    /// or without the minor number (which is then 0).
    fn from_str(text: &str) -> Result<Self, InvalidVersion> {
        // What nearly every call says.
        if text == "1.0" {
            return Ok(Self::V1_0);
        }
        let mut numbers = text.trim().split('.').map(number);
        let major = numbers.next().flatten().ok_or(InvalidVersion)?;
        let minor = numbers.next().unwrap_or(Some(0)).ok_or(InvalidVersion)?;
        let patch = numbers.next().unwrap_or(Some(0));
        match (patch, numbers.next()) {
            (Some(_), None) => Ok(Self { major, minor }),
            _ => Err(InvalidVersion),
        }
    }
}

/// A plain decimal number; `u16::from_str` alone would let `+1` in, and `0.03` is not `0.3`.
fn number(text: &str) -> Option<u16> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let padded = text.len() > 1 && text.starts_with('0');
    (plain && !padded).then(|| text.parse().ok()).flatten()
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The text is no protocol version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidVersion;

impl fmt::Display for InvalidVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a protocol version; write Major.Minor, such as 1.0")
    }
}

impl Error for InvalidVersion {}
