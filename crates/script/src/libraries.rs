//! The files that scripts can require, and which of them a script uses.

use std::collections::BTreeMap;
use std::sync::Arc;

use uphold_model::{
    Action, Code, Declaration, Diagnostic, Diagnostics, Map, Meta, Place, ResourceId, Statement, ThinVec,
    Trigger,
};
use uphold_resource::Registry;

use crate::failure::ScriptErrors;
use crate::script_file::ScriptFile;

use super::failure::{Line, ScriptError};
use super::kind::ScriptedKind;
use super::script::Script;
use super::script_file::{Library, library_path, plain_name, required};

/// The files that scripts can require, by path.
pub(crate) struct Libraries<'a> {
    files: BTreeMap<&'a str, &'a ScriptFile<'a>>,
}

impl<'a> Libraries<'a> {
    pub(crate) fn new(files: &'a [ScriptFile<'a>]) -> Self {
        Self { files: files.iter().map(|file| (file.name, file)).collect() }
    }

    /// All files that a script requires, directly or through another one. Names are relative to the folder of the kind.
    pub(crate) fn of(&self, kind: &ScriptFile<'_>) -> Result<Vec<Arc<Library>>, Diagnostics> {
        let mut found: Vec<Arc<Library>> = Vec::new();
        let mut problems = Diagnostics::default();
        let mut to_read: Vec<ScriptFile<'_>> = vec![*kind];
        while let Some(file) = to_read.pop() {
            for (line, name) in required(file.text) {
                if found.iter().any(|library| library.name == plain_name(name)) {
                    continue;
                }
                match self.library(kind, &file, line, name) {
                    Ok((library, next)) => {
                        found.push(library);
                        to_read.push(*next);
                    }
                    Err(problem) => problems.extend(problem),
                }
            }
        }
        found.sort_by(|one, other| one.name.cmp(&other.name));
        if problems.is_empty() { Ok(found) } else { Err(problems) }
    }

    fn library(
        &self,
        kind: &ScriptFile<'_>,
        file: &ScriptFile<'_>,
        line: usize,
        name: &str,
    ) -> Result<(Arc<Library>, &'a ScriptFile<'a>), Diagnostics> {
        let refuse = |detail: String| Diagnostic::new(Code::InvalidKind, detail).at(file.line(line));
        let path = library_path(kind.name, name).map_err(refuse)?;
        let Some(found) = self.files.get(path.as_str()) else {
            let problem =
                refuse(format!("`{name}` cannot be required: {path} does not exist, or is refused"));
            return Err(problem.fix("create the file; it must belong to you or root").into());
        };
        let library = Library::compile(plain_name(name), found);
        let library = library.map_err(|error| diagnostics(found, &ScriptErrors::from(error)))?;
        Ok((Arc::new(library), found))
    }
}

// A recipe: a script that runs as a whole, as the body of an action.

/// Adds a kind whose only action is the recipe, and returns the statements that run it. `params` are those of the
/// configuration that is passed with the recipe.
///
/// # Errors
/// If the text is not valid Luau.
pub fn recipe(
    file: &ScriptFile<'_>,
    params: Map,
    kinds: &mut Registry,
) -> Result<Vec<Statement>, Diagnostics> {
    let kind = free_name(kinds);
    let script = Script::compile(file, &kind, true, None, Vec::new());
    let made =
        script.map_err(ScriptErrors::from).and_then(|script| ScriptedKind::new(Arc::new(script), params));
    let made = made.map_err(|errors| diagnostics(file, &errors))?;
    kinds.define(Arc::new(made)).map_err(|error| {
        Diagnostics::from(Diagnostic::new(Code::InvalidKind, error.to_string()).at(file.line(1)))
    })?;
    kinds.note_file(&kind, file.name);
    let id = ResourceId::new(kind, file.name);
    let place = file.line(1);
    let declaration =
        Declaration { id: id.clone(), place, attributes: Box::default(), meta: Meta::default() };
    let trigger = Trigger { id, action: Action::Converge, place, depends_on: ThinVec::default(), when: None };
    Ok(vec![Statement::Declare(declaration), Statement::Trigger(trigger)])
}

/// A free name for the kind of a recipe: each recipe is a kind with one resource.
fn free_name(kinds: &Registry) -> String {
    let names = std::iter::once("recipe".to_owned()).chain((2..).map(|number| format!("recipe_{number}")));
    let mut free = names.filter(|name| kinds.get(name).is_none());
    free.next().unwrap_or_else(|| unreachable!("there is always another number"))
}

// Errors of a script file as diagnostics: Luau reports the line, and the rest is found in the text.

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
