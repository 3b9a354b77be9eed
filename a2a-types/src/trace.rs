use std::fmt;
use std::sync::Arc;

/// The longest value of either header, in bytes. W3C Trace Context §3.3.1.5 asks for 512.
const MAX: usize = 512;

/// Where a call belongs in a distributed trace: a W3C trace context. Clones share it.
///
/// Its values always fit into the headers `traceparent` and `tracestate`.
#[derive(Clone, PartialEq, Eq)]
pub struct TraceContext {
    traceparent: Arc<str>,
    tracestate: Arc<str>,
}

impl TraceContext {
    /// The context of these two values, as they were received; `None` when `traceparent` is
    /// malformed. A `tracestate` that is longer than 512 bytes or has other characters than a header
    /// may have is left out.
    #[must_use]
    pub fn new(traceparent: &str, tracestate: &str) -> Option<Self> {
        let traceparent = traceparent.trim();
        let tracestate = Some(tracestate.trim())
            .filter(|state| state.len() <= MAX && state.bytes().all(is_printable))
            .unwrap_or_default();
        is_traceparent(traceparent).then(|| Self {
            traceparent: traceparent.into(),
            tracestate: tracestate.into(),
        })
    }

    /// The value of `traceparent`.
    #[must_use]
    pub fn traceparent(&self) -> &str {
        &self.traceparent
    }

    /// The value of `tracestate`; empty when there is none.
    #[must_use]
    pub fn tracestate(&self) -> &str {
        &self.tracestate
    }
}

impl fmt::Debug for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TraceContext")
            .field("traceparent", &self.traceparent)
            .field("tracestate", &self.tracestate)
            .finish()
    }
}

fn is_printable(byte: u8) -> bool {
    byte == b' ' || byte.is_ascii_graphic()
}

/// `version "-" trace-id "-" parent-id "-" flags`, all lower-case hex, no id all zero. Versions
/// above 00 may carry more fields.
fn is_traceparent(value: &str) -> bool {
    let mut fields = value.split('-');
    let mut field = |length| {
        fields.next().filter(|text| {
            let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
            text.len() == length && text.bytes().all(hex)
        })
    };
    let (Some(version), Some(trace), Some(parent), Some(_)) =
        (field(2), field(32), field(16), field(2))
    else {
        return false;
    };
    let zero = |text: &str| text.bytes().all(|b| b == b'0');
    version != "ff"
        && !zero(trace)
        && !zero(parent)
        && (version != "00" || fields.next().is_none())
        && value.len() <= MAX
        && value.bytes().all(|b| b.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    // R144
    #[test]
    fn malformed_trace_parents_are_ignored() {
        let good = format!("00-{TRACE}-00f067aa0ba902b7-01");
        for good in [
            good.clone(),
            format!(" {good} "),
            format!("01-{TRACE}-00f067aa0ba902b7-01-more"),
        ] {
            let read = TraceContext::new(&good, "").unwrap();
            assert_eq!(read.traceparent(), good.trim());
        }
        for bad in [
            String::new(),
            format!("{good}-more"),
            good.to_uppercase(),
            format!("ff-{TRACE}-00f067aa0ba902b7-01"),
            format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32)),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{TRACE}-00f067aa0ba902b7"),
            format!("01-{TRACE}-00f067aa0ba902b7-01-more\r\nx-admin: 1"),
            format!("01-{TRACE}-00f067aa0ba902b7-01-\u{fc}"),
            format!("01-{TRACE}-00f067aa0ba902b7-01-{}", "x".repeat(512)),
        ] {
            assert_eq!(TraceContext::new(&bad, ""), None, "{bad}");
        }
    }

    // R144
    #[test]
    fn a_trace_state_that_fits_no_header_is_left_out() {
        let good = format!("00-{TRACE}-00f067aa0ba902b7-01");
        let long = "x".repeat(513);
        for (state, read) in [
            ("vendor=1,other=2", "vendor=1,other=2"),
            ("", ""),
            ("a=b\r\nx-admin: 1", ""),
            ("a=\u{fc}", ""),
            ("a=\0", ""),
            (&*long, ""),
        ] {
            let context = TraceContext::new(&good, state).unwrap();
            assert_eq!(context.tracestate(), read);
        }
    }
}
