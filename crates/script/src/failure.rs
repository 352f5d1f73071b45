//! Errors of scripts: their message and stack, read from what Luau reports.

use uphold_resource::{Error, ErrorKind};

use crate::fuel::{LIMITS, OUT_OF_FUEL, limit_advice};

/// Message of a script that reached the memory limit.
const OUT_OF_MEMORY: &str = "the script uses more than 256 MiB of memory";

/// Most characters of a message that are shown.
const LONGEST: usize = 2000;

/// Most lines of a stack that are shown.
const DEEPEST: usize = 20;

/// The errors of a script that is loaded.
pub(crate) struct ScriptErrors(pub(crate) Vec<mlua::Error>);

impl From<mlua::Error> for ScriptErrors {
    fn from(error: mlua::Error) -> Self {
        Self(vec![error])
    }
}

/// A line of a script.
#[derive(Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// An error of a script.
#[derive(Debug)]
pub(crate) struct ScriptError {
    /// The message without its position and stack.
    pub(crate) message: String,
    /// Innermost first, without lines of the prelude.
    pub(crate) stack: Vec<Line>,
    kind: ErrorKind,
}

impl ScriptError {
    /// Reads an error of Luau.
    pub(crate) fn of(error: &mlua::Error) -> Self {
        let text = innermost(error);
        let trace = traceback(error);
        let (first, rest) = text.split_once("\nstack traceback:").unwrap_or((&text, ""));
        let first = first.trim();
        let is_large = matches!(error, mlua::Error::MemoryError(_)) || first == "not enough memory";
        let kind = match error {
            _ if is_large => ErrorKind::Rejected,
            _ if first.contains(OUT_OF_FUEL) => ErrorKind::TimedOut,
            _ if LIMITS.iter().any(|limit| first.contains(limit)) => ErrorKind::Rejected,
            _ => ErrorKind::Failed,
        };
        let (place, message) = match error {
            mlua::Error::SyntaxError { .. } => split_syntax(first),
            _ => split_place(first),
        };
        let mut stack: Vec<Line> = place.into_iter().filter(|line| !is_prelude(line)).collect();
        for line in places(trace.lines().chain(rest.lines())) {
            if !stack.contains(&line) {
                stack.push(line);
            }
        }
        let message = if is_large { OUT_OF_MEMORY.to_owned() } else { shortened(message) };
        Self { message, stack, kind }
    }

    /// The same error with another message, unless it is about a limit. The stack comes from Luau alone: a script can
    /// write any file and line into its message.
    pub(crate) fn hidden(error: &mlua::Error, message: &str) -> Self {
        let shown = Self::of(error);
        let text = innermost(error);
        let own = text.rsplit_once("\nstack traceback:").map_or("", |(_, stack)| stack);
        let stack = places(traceback(error).lines().chain(own.lines()));
        if LIMITS.contains(&&*shown.message) || shown.message == OUT_OF_MEMORY {
            Self { stack, ..shown }
        } else {
            Self { message: message.to_owned(), stack, ..shown }
        }
    }

    /// The hint for a script that reached a limit.
    pub(crate) fn limit_advice(&self) -> Option<&'static str> {
        let memory =
            "look for a table or a string that only grows; leave large data to a program: run, query";
        limit_advice(&self.message).or(self.message.contains(OUT_OF_MEMORY).then_some(memory))
    }

    /// The same error, in this file if Luau reports no line: it does not for a lack of memory.
    pub(crate) fn in_file(self, file: &str) -> Self {
        let message = if self.stack.is_empty() { format!("{file}: {}", self.message) } else { self.message };
        Self { message, ..self }
    }

    /// An error of the resource. `cause` is the error of the machine that made the script fail, if any; `advice` is the
    /// hint unless the cause has one.
    pub(crate) fn into_error(self, cause: Option<Error>, advice: Option<String>) -> Error {
        let advice = advice.or_else(|| self.limit_advice().map(str::to_owned));
        let place = self.stack.first().map(|line| format!("{}:{}", line.file, line.line));
        let from: Vec<_> =
            self.stack.iter().skip(1).map(|line| format!("{}:{}", line.file, line.line)).collect();
        let error = match (cause, place) {
            (Some(cause), Some(place)) => cause.while_(place),
            (Some(cause), None) => return cause,
            (None, Some(place)) => Error::new(self.kind, format!("{place}: {}", self.message)),
            (None, None) => Error::new(self.kind, self.message),
        };
        match advice {
            _ if error.advice().is_some() => error,
            Some(advice) => error.hint(advice),
            None if from.is_empty() => error,
            None => error.hint(format!("called from {}", from.join(", "))),
        }
    }
}

/// The beginning of a message, which a script can make as long as it likes.
fn shortened(message: &str) -> String {
    let mut characters = message.chars();
    let start: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() { format!("{start}…") } else { start }
}

/// The innermost lines of scripts in a stack, without duplicates.
fn places<'t>(stack: impl Iterator<Item = &'t str>) -> Vec<Line> {
    let mut places = Vec::new();
    for line in stack.filter_map(|line| split_place(line.trim()).0) {
        if !is_prelude(&line) && !places.contains(&line) {
            places.push(line);
        }
        if places.len() == DEEPEST {
            break;
        }
    }
    places
}

fn is_prelude(line: &Line) -> bool {
    line.file.starts_with("uphold:")
}

fn innermost(error: &mlua::Error) -> String {
    match error {
        mlua::Error::CallbackError { cause, .. } => innermost(cause),
        mlua::Error::WithContext { context, cause } => format!("{context}: {}", innermost(cause)),
        mlua::Error::SyntaxError { message, .. } => message.clone(),
        mlua::Error::RuntimeError(message) | mlua::Error::MemoryError(message) => message.clone(),
        other => other.to_string(),
    }
}

fn traceback(error: &mlua::Error) -> String {
    match error {
        mlua::Error::CallbackError { traceback, cause } => format!("{}\n{traceback}", self::traceback(cause)),
        mlua::Error::WithContext { cause, .. } => traceback(cause),
        _ => String::new(),
    }
}

/// Splits a message of the compiler, which has no file name: `:12: message`.
fn split_syntax(text: &str) -> (Option<Line>, &str) {
    let found = text.trim_start_matches(':').split_once(':');
    let read = found.and_then(|(line, message)| Some((line.trim().parse().ok()?, message.trim())));
    read.map_or((None, text), |(line, message)| (Some(Line { file: String::new(), line }), message))
}

/// Splits `kinds/x.luau:12: message`, or a line of a stack: `kinds/x.luau:12 function create`.
fn split_place(text: &str) -> (Option<Line>, &str) {
    let text = text.strip_prefix("runtime error: ").unwrap_or(text);
    let text = text.strip_prefix("syntax error: ").unwrap_or(text);
    for (at, _) in text.match_indices(':') {
        let rest = &text[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Ok(line) = rest[..digits].parse() else { continue };
        let file = text[..at].trim_start_matches("[string \"").trim_end_matches("\"]").to_owned();
        let message = rest[digits..].trim_start_matches(':').trim();
        return (Some(Line { file, line }), message);
    }
    (None, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_places_from_messages() {
        let check = |text: &str, file: &str, line: usize, message: &str| {
            let expected = Some(Line { file: file.to_owned(), line });
            assert_eq!(split_place(text), (expected, message), "{text}");
        };
        check("kinds/x.luau:3: attempt to index nil", "kinds/x.luau", 3, "attempt to index nil");
        check("kinds/x.luau:12 function create", "kinds/x.luau", 12, "function create");
        check("a:b.luau:7: no: way", "a:b.luau", 7, "no: way");
        assert_eq!(split_place("nowhere at all"), (None, "nowhere at all"));
    }
}
