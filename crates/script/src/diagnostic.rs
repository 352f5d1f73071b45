//! Errors of a script file as diagnostics: Luau reports the line, and the rest is found in the text.

use uphold_model::{Code, Diagnostic, Diagnostics, Place};

use crate::failure::{Line, ScriptError, ScriptErrors};
use crate::library::{library_path, required};
use crate::script_file::ScriptFile;

/// Help for a brace in a string that Luau reads as the start of an expression.
const BRACES: &str =
    r"in backquotes, {…} is an expression; write \{ for a brace, or use a string in double quotes";

/// The errors of a script as diagnostics, each at the line that caused it.
pub(crate) fn diagnostics(file: &ScriptFile<'_>, errors: &ScriptErrors) -> Diagnostics {
    let mut all = Diagnostics::default();
    errors.0.iter().for_each(|error| all.push(diagnostic(file, error)));
    all
}

fn diagnostic(file: &ScriptFile<'_>, error: &mlua::Error) -> Diagnostic {
    let script_error = ScriptError::of(error);
    let line = script_error
        .stack
        .iter()
        .find(|line| line.file == file.name || line.file.is_empty())
        .map_or(1, |line| line.line);
    if matches!(error, mlua::Error::SyntaxError { .. }) {
        return syntax(file, line, &script_error.message);
    }
    let advice = script_error.limit_advice();
    // The error may be in a required file: then the place is the line that requires it.
    let elsewhere = script_error.stack.first().filter(|line| !line.file.is_empty() && line.file != file.name);
    let message = match elsewhere {
        Some(Line { file, line }) => format!("{file}:{line}: {}", script_error.message),
        None => script_error.message.clone(),
    };
    let requires = |name: &str| library_path(file.name, name).ok() == elsewhere.map(|line| line.file.clone());
    let line = required(file.text).find(|(_, name)| requires(name)).map_or(line, |(line, _)| line);
    let failed = Diagnostic::new(Code::ScriptFailed, message).at(file.line(line));
    match advice {
        Some(advice) => failed.fix(advice),
        None => failed,
    }
}

fn syntax(file: &ScriptFile<'_>, line: usize, message: &str) -> Diagnostic {
    let is_interpolated = message.contains("interpolated string");
    let place = if is_interpolated {
        file.between(line, '`')
    } else {
        between(message, "got '", "'").and_then(|token| file.word(line, token))
    };
    let mut diagnostic =
        Diagnostic::new(Code::ScriptSyntax, lower_first(message)).at(place.or_else(|| file.line(line)));
    if let Some((place, label)) = opening(file, line, message) {
        diagnostic = diagnostic.and_at(place, label);
    }
    if is_interpolated { diagnostic.fix(BRACES) } else { diagnostic }
}

/// The place of the bracket or keyword that is not closed, if it is on another line. If Luau names two, the second is its
/// better guess: `Expected 'end' (to close 'function' at line 2), got <eof>; did you forget to close 'then' at line 3?`
fn opening(file: &ScriptFile<'_>, error: usize, message: &str) -> Option<(Place, String)> {
    let (before, after) = message.rsplit_once("' at line ")?;
    let digits = after.trim_end_matches(|end: char| !end.is_ascii_digit());
    let digits = digits.split(|other: char| !other.is_ascii_digit()).next()?;
    let line: usize = digits.parse().ok().filter(|line| *line != error)?;
    let word = before.rsplit_once('\'')?.1;
    let place = file.word(line, word).or_else(|| file.line(line))?;
    Some((place, format!("`{word}` is not closed")))
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    rest.split_once(end).map(|(found, _)| found).filter(|found| !found.is_empty())
}

/// Messages begin in lower case; those of Luau do not.
fn lower_first(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
