//! What a registration wants to see in the headers, kept to its own header.

use std::fmt;

use a2a_types::TaskPushNotificationConfig;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};

/// The two spellings of the token's header that receivers look for.
pub(crate) const TOKEN_HEADERS: [HeaderName; 2] = [
    HeaderName::from_static("x-a2a-notification-token"),
    HeaderName::from_static("a2a-notification-token"),
];

/// The longest token, scheme or credentials, in bytes.
const MAX_VALUE: usize = 8192;

/// The headers by which a receiver knows that the notification is meant for it (A2A §4.3.3): the
/// credentials as they are configured, and the token in both spellings. Their values are marked as
/// sensitive.
///
/// # Errors
///
/// When a value does not fit into a header: it is longer than 8 KiB, or has other characters than
/// visible ASCII (and spaces within the credentials).
pub fn credentials(config: &TaskPushNotificationConfig) -> Result<HeaderMap, InvalidHeader> {
    let mut headers = HeaderMap::new();
    if let Some(authentication) = &config.authentication {
        let scheme = checked("authentication.scheme", &authentication.scheme, is_token)?;
        if scheme.is_empty() {
            return Err(InvalidHeader("authentication.scheme"));
        }
        let credentials = checked(
            "authentication.credentials",
            &authentication.credentials,
            |b| b == b' ' || b.is_ascii_graphic(),
        )?;
        let value = format!("{scheme} {credentials}");
        let value = sensitive("authentication.credentials", value.trim_end())?;
        headers.insert(AUTHORIZATION, value);
    }
    if !config.token.is_empty() {
        let token = checked("token", &config.token, |b| b.is_ascii_graphic())?;
        for name in TOKEN_HEADERS {
            headers.insert(name, sensitive("token", token)?);
        }
    }
    Ok(headers)
}

fn checked<'a>(
    field: &'static str,
    value: &'a str,
    allowed: fn(u8) -> bool,
) -> Result<&'a str, InvalidHeader> {
    let trimmed = value.trim_matches(' ').len() == value.len();
    if trimmed && value.len() <= MAX_VALUE && value.bytes().all(allowed) {
        Ok(value)
    } else {
        Err(InvalidHeader(field))
    }
}

/// RFC 9110 §5.6.2: what the name of a scheme consists of.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn sensitive(field: &'static str, value: &str) -> Result<HeaderValue, InvalidHeader> {
    let mut value = HeaderValue::from_str(value).map_err(|_| InvalidHeader(field))?;
    value.set_sensitive(true);
    Ok(value)
}

/// A value of a registration that cannot be put into a header. It does not show the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidHeader(&'static str);

impl InvalidHeader {
    /// The field of the registration: `token`, `authentication.scheme` or
    /// `authentication.credentials`.
    #[must_use]
    pub fn field(&self) -> &'static str {
        self.0
    }
}

impl fmt::Display for InvalidHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot be the value of a header")
    }
}

impl std::error::Error for InvalidHeader {}

#[cfg(test)]
mod tests {
    use a2a_types::AuthenticationInfo;

    use super::*;

    fn config(scheme: &str, credentials: &str, token: &str) -> TaskPushNotificationConfig {
        let authentication = AuthenticationInfo::default()
            .with_scheme(scheme)
            .with_credentials(credentials);
        TaskPushNotificationConfig::default()
            .with_authentication(authentication)
            .with_token(token)
    }

    // R119, A2A-4.3.2-01, A2A-4.3.3-02
    #[test]
    fn any_scheme_is_written_as_configured_and_the_token_in_both_spellings() {
        for (scheme, credentials, expected) in [
            ("Bearer", "abc", "Bearer abc"),
            ("bearer", "abc", "bearer abc"),
            ("Basic", "dTpw", "Basic dTpw"),
            (
                "Digest",
                "username=\"u\", uri=\"/\"",
                "Digest username=\"u\", uri=\"/\"",
            ),
            ("X-Odd", "", "X-Odd"),
        ] {
            let headers = super::credentials(&config(scheme, credentials, "t0k")).unwrap();
            assert_eq!(headers[AUTHORIZATION], expected);
            assert_eq!(headers["x-a2a-notification-token"], "t0k");
            assert_eq!(headers["a2a-notification-token"], "t0k");
            assert!(headers.values().all(HeaderValue::is_sensitive));
        }
        let neither = super::credentials(&TaskPushNotificationConfig::default()).unwrap();
        assert!(neither.is_empty());
    }

    // R118
    #[test]
    fn what_would_leave_its_header_is_refused() {
        let long = "x".repeat(8193);
        for (scheme, credentials, token, field) in [
            (
                "Bearer",
                "abc\r\nX-Admin: 1",
                "",
                "authentication.credentials",
            ),
            ("Bearer", "abc\n", "", "authentication.credentials"),
            ("Bearer", "abc\0", "", "authentication.credentials"),
            ("Bearer", "\x7f", "", "authentication.credentials"),
            ("Bearer", "abc\tdef", "", "authentication.credentials"),
            ("Bearer", " abc", "", "authentication.credentials"),
            ("Bearer", "schl\u{fc}ssel", "", "authentication.credentials"),
            ("Bearer", &long, "", "authentication.credentials"),
            ("Bearer\n", "abc", "", "authentication.scheme"),
            ("Bearer:", "abc", "", "authentication.scheme"),
            ("Bearer x", "abc", "", "authentication.scheme"),
            ("", "abc", "", "authentication.scheme"),
            ("Bearer", "abc", "t\0", "token"),
            ("Bearer", "abc", "t\r\nX: 1", "token"),
            ("Bearer", "abc", "t t", "token"),
            ("Bearer", "abc", "\u{2028}", "token"),
            ("Bearer", "abc", "schl\u{fc}ssel", "token"),
        ] {
            let refused = super::credentials(&config(scheme, credentials, token)).unwrap_err();
            assert_eq!(
                refused.field(),
                field,
                "{scheme:?} {credentials:?} {token:?}"
            );
        }
    }
}
