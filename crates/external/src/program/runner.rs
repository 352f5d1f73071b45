//! Runs the programs of one manifest, one at a time unless it allows more, and reports their failures.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;
use uphold_resource::{Command, Error, ErrorKind, Exit, Level, Output, Reading, Result};

use super::{Call, Inputs, command};
use crate::manifest::{Manifest, SecurityContext};

/// Starts a command, either to load or to change a resource.
pub(crate) type Start<'a> = &'a dyn Fn(&Command) -> Result<Output>;

/// The programs of one manifest.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    /// Held while a program runs: a manifest does not tell what is safe to run concurrently.
    turn: Mutex<()>,
}

impl Runner {
    /// Runs a program to its end.
    ///
    /// # Errors
    /// If it cannot be started, does not exit with status 0, or times out.
    pub(crate) fn run(
        &self,
        manifest: &Manifest,
        call: &Call<'_>,
        host: &Reading<'_>,
        start: Start<'_>,
    ) -> Result<Output> {
        let what = format!("cannot `{}` {}", call.operation, manifest.type_name);
        check_user(manifest, call, host)?;
        let inputs = Inputs {
            type_name: &manifest.type_name,
            version: &manifest.version,
            path: &manifest.path_argument(),
            content: manifest.content(),
        };
        let mut command = command(call, &inputs)?;
        command.dir = Some(manifest.directory.clone());
        command.only_trusted = true;
        command.timeout = Some(manifest.own.timeout.unwrap_or(call.operation.default_timeout()));
        let _turn =
            (!manifest.own.parallel).then(|| self.turn.lock().unwrap_or_else(PoisonError::into_inner));
        let output = begin(manifest, command, host, start).map_err(|error| error.while_(&what))?;
        let said = if call.secret { Vec::new() } else { lines(&output.stderr) };
        report(&said, host);
        if output.dropped > 0 {
            let dropped = output.dropped;
            let text = format!(
                "its program wrote too much to standard error: the first {dropped} bytes were dropped"
            );
            host.report(Level::Warning, &text);
        }
        if output.success() {
            return Ok(output);
        }
        let meaning = match output.exit {
            Exit::Code(code) => manifest.exit_codes.get(&code),
            _ => None,
        };
        Err(failure(&what, &output, meaning, &said))
    }
}

/// Starts the program from `PATH`, or else from the manifest's directory. A program that could not be started has
/// changed nothing.
fn begin(manifest: &Manifest, mut command: Command, host: &Reading<'_>, start: Start<'_>) -> Result<Output> {
    let beside = manifest.directory.join(&command.program);
    let is_beside = command.program.contains('/');
    if is_beside {
        command.program = text(&beside);
    }
    let started = start(&command);
    if !started.as_ref().is_err_and(|error| error.kind() == ErrorKind::Missing) {
        return started;
    }
    check_directory(manifest, host)?;
    if is_beside || host.files().look(&beside)?.is_none() {
        return started;
    }
    command.program = text(&beside);
    start(&command)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn check_user(manifest: &Manifest, call: &Call<'_>, host: &Reading<'_>) -> Result<()> {
    let is_root = host.accounts().current_uid() == 0;
    let (users, hint) = match call.method.context {
        SecurityContext::Elevated if !is_root => ("only by root", "run Uphold as root"),
        SecurityContext::Restricted if is_root => {
            ("only by users other than root", "run Uphold as another user")
        }
        _ => return Ok(()),
    };
    let what = format!("`{}` of {} may be run {users}", call.operation, manifest.type_name);
    Err(Error::new(ErrorKind::Denied, what).hint(hint))
}

/// Below another root, programs run inside, so the directory must exist there.
fn check_directory(manifest: &Manifest, host: &Reading<'_>) -> Result<()> {
    if host.files().look(&manifest.directory)?.is_some() {
        return Ok(());
    }
    let directory = manifest.directory.display();
    let what = format!(
        "cannot run {}: the directory of its manifest, {directory}, does not exist there",
        manifest.type_name
    );
    let hint =
        "with --root its program runs inside the root: put manifest and program at the same path there";
    Err(Error::new(ErrorKind::Missing, what).hint(hint))
}

fn report(said: &[Line], host: &Reading<'_>) {
    for line in said {
        if let Line::Message { level, text, .. } = line {
            host.report(*level, text);
        }
    }
}

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

/// A line of stderr.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    /// A message. An error is a warning that also explains a failure.
    Message { level: Level, is_error: bool, text: String },
    /// Any other line: shown if the program fails.
    Other(String),
}

/// The levels, with both of their names.
const LEVELS: [(&str, &str, Level); 5] = [
    ("error", "ERROR", Level::Warning),
    ("warn", "WARN", Level::Warning),
    ("info", "INFO", Level::Info),
    ("debug", "DEBUG", Level::Debug),
    ("trace", "TRACE", Level::Debug),
];

/// The lines of stderr without empty ones.
pub(super) fn lines(stderr: &[u8]) -> Vec<Line> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().filter(|line| !line.trim().is_empty()).map(line).collect()
}

fn line(text: &str) -> Line {
    let json = text.trim_start().starts_with('{').then(|| serde_json::from_str::<Json>(text).ok()).flatten();
    json.as_ref().and_then(message).unwrap_or_else(|| Line::Other(text.to_owned()))
}

/// `{"level", "fields": {"message"}}` or `{"info": "…"}`.
fn message(json: &Json) -> Option<Line> {
    let text = |json: &Json| json.as_str().map(str::to_owned);
    let long = json.get("level").and_then(Json::as_str).zip(json.pointer("/fields/message").and_then(text));
    if let Some((name, text)) = long {
        let (short, _, level) = LEVELS.iter().find(|(_, long, _)| long.eq_ignore_ascii_case(name))?;
        return Some(Line::Message { level: *level, is_error: *short == "error", text });
    }
    LEVELS.iter().find_map(|(short, _, level)| {
        let text = json.get(*short).and_then(text)?;
        Some(Line::Message { level: *level, is_error: *short == "error", text })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_4_messages_are_recognised() {
        let check = |text: &str, expected: Line| assert_eq!(lines(text.as_bytes()), [expected], "{text}");
        let message = |level, is_error, text: &str| Line::Message { level, is_error, text: text.to_owned() };
        let long = r#"{"timestamp":"x","level":"WARN","fields":{"message":"careful"},"target":"t"}"#;
        check(long, message(Level::Warning, false, "careful"));
        check(r#"{"level":"Error","fields":{"message":"bad"}}"#, message(Level::Warning, true, "bad"));
        check(r#"{"error":"bad"}"#, message(Level::Warning, true, "bad"));
        check(r#"{"warn":"w"}"#, message(Level::Warning, false, "w"));
        check(r#"{"info":"i"}"#, message(Level::Info, false, "i"));
        check(r#"{"debug":"d"}"#, message(Level::Debug, false, "d"));
        check(r#"{"trace":"t"}"#, message(Level::Debug, false, "t"));
        check("{broken", Line::Other("{broken".to_owned()));
        check(r#"{"other":"x"}"#, Line::Other(r#"{"other":"x"}"#.to_owned()));
        check("plain\n\n", Line::Other("plain".to_owned()));
        assert_eq!(lines(b"a\n\xff\n").len(), 2);
    }
}
