//! Media types: which JSON a request brings and an answer gets.

/// JSON, the type of JSON-RPC.
pub const JSON: &str = "application/json";
/// The type of HTTP+JSON bodies (A2A §14.1.1); files of it end in `.a2a.json`.
pub const A2A_JSON: &str = "application/a2a+json";
/// Problem details (RFC 9457), which some peers send as errors.
pub const PROBLEM_JSON: &str = "application/problem+json";
/// Server-sent events.
pub const EVENT_STREAM: &str = "text/event-stream";

/// Whether the type is JSON: `application/json` or any `application/*+json`.
///
/// ```
/// use a2a_types::media::is_json;
///
/// assert!(is_json("Application/JSON; charset=utf-8"));
/// assert!(is_json("application/a2a+json"));
/// assert!(!is_json("text/plain"));
/// ```
#[must_use]
pub fn is_json(content_type: &str) -> bool {
    if content_type == JSON || content_type == A2A_JSON {
        return true;
    }
    let essence = essence(content_type).to_ascii_lowercase();
    essence == JSON
        || essence
            .strip_prefix("application/")
            .and_then(|subtype| subtype.strip_suffix("+json"))
            .is_some_and(|name| !name.is_empty())
}

/// Whether a media type fits a pattern: the same type and subtype, or `type/*`, or `*/*`.
/// Parameters and case do not count.
///
/// ```
/// use a2a_types::media::matches;
///
/// assert!(matches("image/*", "image/PNG"));
/// assert!(matches("text/plain", "text/plain;charset=utf-8"));
/// assert!(!matches("image/*", "imagery/png"));
/// ```
#[must_use]
pub fn matches(pattern: &str, media_type: &str) -> bool {
    let (Some(pattern), Some(media_type)) = (split(pattern), split(media_type)) else {
        return false;
    };
    let part = |pattern: &str, part: &str| pattern == "*" || pattern.eq_ignore_ascii_case(part);
    part(pattern.0, media_type.0) && part(pattern.1, media_type.1)
}

/// The type of the JSON that a request asks for: what `Accept` names with the higher weight
/// (`application/a2a+json` when equal), else the type of the request's body. `None` when neither
/// is one of both: then it is `application/a2a+json` for a result over HTTP+JSON, and
/// `application/json` for an error.
///
/// Ranges such as `*/*` name neither. `accept` holds the values of the header, which may be
/// repeated.
pub fn negotiate<'a>(
    accept: impl IntoIterator<Item = &'a str>,
    content_type: Option<&str>,
) -> Option<&'static str> {
    let (mut a2a, mut json) = (0, 0);
    for range in accept.into_iter().flat_map(|value| value.split(',')) {
        match known(range) {
            Some(A2A_JSON) => a2a = a2a.max(weight(range)),
            Some(_) => json = json.max(weight(range)),
            None => {}
        }
    }
    match (a2a, json) {
        (0, 0) => known(content_type?),
        (a2a, json) if a2a >= json => Some(A2A_JSON),
        _ => Some(JSON),
    }
}

/// Which of both types it is, whatever its parameters and case.
fn known(media_type: &str) -> Option<&'static str> {
    let types = [A2A_JSON, JSON];
    // Most are written as they stand here.
    let same = types.into_iter().find(|known| *known == media_type);
    same.or_else(|| {
        let essence = essence(media_type);
        let mut types = types.into_iter();
        types.find(|known| known.eq_ignore_ascii_case(essence))
    })
}

/// The weight of a range in thousandths (RFC 9110 §12.4.2); 1000 when it has none, 0 when it is
/// unreadable.
fn weight(range: &str) -> u16 {
    let mut parameters = range.split(';').skip(1).filter_map(|p| p.split_once('='));
    let Some((_, weight)) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
    else {
        return 1000;
    };
    let (whole, fraction) = weight.trim().split_once('.').unwrap_or((weight.trim(), ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    match whole {
        "0" => format!("{fraction:0<3}").parse().unwrap_or(0),
        "1" => 1000,
        _ => 0,
    }
}

/// The type and subtype of a media type, without its parameters.
fn essence(media_type: &str) -> &str {
    let end = media_type.bytes().position(|byte| byte == b';');
    let essence = end.and_then(|end| media_type.get(..end));
    essence.unwrap_or(media_type).trim()
}

fn split(media_type: &str) -> Option<(&str, &str)> {
    let (kind, subtype) = essence(media_type).split_once('/')?;
    (!kind.is_empty() && !subtype.is_empty()).then_some((kind, subtype))
}
