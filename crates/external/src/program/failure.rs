//! Why a run of a program failed.

use uphold_resource::{Error, ErrorKind, Exit, Output};

use super::trace::Line;

/// Enough for a message and its context; the whole output is no error message.
const LINES: usize = 20;
const BYTES: usize = 2048;

/// The error of a program that did not end well. `meaning` is what the manifest says about its exit code, and `said`
/// what may be shown of its words.
pub(super) fn failure(what: &str, output: &Output, meaning: Option<&String>, said: &[Line]) -> Error {
    let (kind, how) = match output.exit {
        Exit::Code(code) => (ErrorKind::Rejected, format!("its program ended with status {code}")),
        Exit::Signal(signal) => (ErrorKind::Failed, format!("its program was killed by signal {signal}")),
        Exit::TimedOut => (ErrorKind::TimedOut, "its program took too long, and was killed".to_owned()),
    };
    let how = meaning.map_or(how.clone(), |meaning| format!("{how}: {meaning}"));
    let error = Error::new(kind, format!("{what}: {how}"));
    let error = match output.exit {
        Exit::TimedOut => error.hint("give it longer: \"metadata\": {\"uphold\": {\"timeout\": \"5m\"}}"),
        _ => error,
    };
    match complaint(said) {
        Some(complaint) => error.because(complaint),
        None => error,
    }
}

/// The last lines that are errors or no messages at all.
fn complaint(said: &[Line]) -> Option<String> {
    let shown = said.iter().rev().filter_map(|line| match line {
        Line::Message { is_error: true, text, .. } | Line::Other(text) => Some(text.as_str()),
        Line::Message { .. } => None,
    });
    let mut lines: Vec<&str> = shown.take(LINES).collect();
    lines.reverse();
    let text = lines.join("\n");
    let cut = text.ceil_char_boundary(text.len().saturating_sub(BYTES));
    (!text.is_empty()).then(|| text[cut..].to_owned())
}
