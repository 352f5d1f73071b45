//! Spans of time on the command line.

use std::time::Duration;

use uphold::model::read_span;

const FIX: &str = "write a span such as 30s, 10m or 1h30m";

/// A span that is not zero.
pub(super) fn span(text: &str) -> Result<Duration, String> {
    read_span(text).filter(|span| !span.is_zero()).ok_or_else(|| FIX.to_owned())
}

/// A span, or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpanOrNever(pub(super) Option<Duration>);

/// A span, or the word `never`.
pub(super) fn span_or_never(text: &str) -> Result<SpanOrNever, String> {
    match text {
        "never" => Ok(SpanOrNever(None)),
        text => span(text).map(|span| SpanOrNever(Some(span))).map_err(|_| format!("{FIX}, or never")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans() {
        let check = |text: &str, expected: Option<SpanOrNever>| {
            assert_eq!(span_or_never(text).ok(), expected, "{text}");
        };
        check("1h30m", Some(SpanOrNever(Some(Duration::from_secs(5400)))));
        check("never", Some(SpanOrNever(None)));
        check("0s", None);
        check("10", None);
        check("", None);
    }
}
