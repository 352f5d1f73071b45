//! Failures of programs.

use uphold_resource::{Error, ErrorKind, Exit, Output};

use super::trace::Line;

/// Enough for a message and its context; the whole output is not an error message.
const LINES: usize = 20;
const BYTES: usize = 2048;

/// The error of a failed program. `meaning` is the manifest's description of its exit code, and `said` the output that
/// may be shown.
pub(super) fn failure(what: &str, output: &Output, meaning: Option<&String>, said: &[Line]) -> Error {
    let (kind, how) = match output.exit {
        Exit::Code(code) => (ErrorKind::Rejected, format!("its program exited with status {code}")),
        Exit::Signal(signal) => (ErrorKind::Failed, format!("its program was killed by signal {signal}")),
        Exit::TimedOut => (ErrorKind::TimedOut, "its program timed out and was killed".to_owned()),
    };
    let how = meaning.map_or(how.clone(), |meaning| format!("{how}: {meaning}"));
    let error = Error::new(kind, format!("{what}: {how}"));
    let error = match output.exit {
        Exit::TimedOut => {
            error.hint("increase its timeout: \"metadata\": {\"uphold\": {\"timeout\": \"5m\"}}")
        }
        _ => error,
    };
    match error_lines(said) {
        Some(error_lines) => error.because(error_lines),
        None => error,
    }
}

/// The last lines that are errors or plain text.
fn error_lines(said: &[Line]) -> Option<String> {
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
