//! Hints for the errors of scripts.

use std::borrow::Cow;

use uphold_model::{Map, Role, Value};
use uphold_resource::{Definition, Desired, Error, ErrorKind, Wishes};

use super::script::words;
use crate::failure::ScriptError;
use crate::frame::{Frame, MachineAccess};
use crate::kind::ScriptedKind;

/// Methods that lists have in other languages, and how Luau writes them; `{}` is the list.
const LIST_METHODS: &[(&str, &str)] = &[
    ("append", "table.insert({}, …)"),
    ("contains", "table.find({}, …)"),
    ("includes", "table.find({}, …)"),
    ("join", "table.concat({}, …)"),
    ("length", "#{}"),
    ("pop", "table.remove({})"),
    ("push", "table.insert({}, …)"),
    ("size", "#{}"),
    ("sort", "table.sort({})"),
];

impl Frame<'_> {
    /// How a loader reports that its resource does not exist, if it failed because something is missing.
    pub(crate) fn absence_advice(&self, cause: Option<&Error>) -> Option<String> {
        let is_missing = matches!(cause?.kind(), ErrorKind::Missing | ErrorKind::ParentMissing);
        let is_loader = matches!(self.machine, MachineAccess::Read(_));
        (is_missing && is_loader).then(|| {
            "if the resource does not exist without it: \
             `if not fs.exists(…) then current_value_does_not_exist() end`"
                .to_owned()
        })
    }

    /// The function of Luau for a call such as `hosts.join(…)`, whose error names nothing.
    pub(crate) fn method_advice(&self, error: &ScriptError) -> Option<String> {
        if !error.message.starts_with("attempt to call a nil value")
            && !error.message.starts_with("attempt to call missing method")
        {
            return None;
        }
        let line = error.stack.first()?;
        let text = self.kind.script.line(&line.file, line.line)?;
        words(text).zip(words(text).skip(1)).find_map(|((start, list), (at, method))| {
            let is_method = matches!(&text[start + list.len()..at], "." | ":");
            let (_, form) = LIST_METHODS.iter().find(|(name, _)| is_method && *name == method)?;
            Some(format!("a list has no `{method}`: {}", form.replace("{}", list)))
        })
    }

    /// The form of an expression in a string, if the dollar sign of HCL's form is part of the value that failed.
    pub(crate) fn dollar_advice(&self, error: &ScriptError, cause: Option<&Error>) -> Option<String> {
        let message = cause.map_or_else(|| Cow::from(&error.message), |cause| cause.chain().into());
        let line = error.stack.first().filter(|_| message.contains('$'))?;
        let text = self.kind.script.line(&line.file, line.line)?;
        let (_, rest) = text.split_once('`')?.1.split_once("${")?;
        let (name, _) = rest.split_once('}')?;
        Some(format!("in backquotes, Luau writes {{{name}}}, without a dollar sign"))
    }

    /// The property that is nil on the line of an error about nil, which Luau does not name.
    pub(crate) fn nil_advice(&self, error: &ScriptError, cause: Option<&Error>) -> Option<String> {
        let message = cause.map_or_else(|| Cow::from(&error.message), |cause| cause.chain().into());
        if !words(&message).any(|(_, word)| word == "nil") {
            return None;
        }
        let line = error.stack.first()?;
        let text = self.kind.script.line(&line.file, line.line)?;
        let nil = self.nil_reads.borrow();
        let name = words(text).map(|(_, word)| word).find(|word| nil.iter().any(|name| name == word))?;
        let role = self.kind.schema().property(name)?.role;
        if matches!(self.machine, MachineAccess::Read(_)) && role.is_state() {
            return Some(format!(
                "`{name}` is nil until the loader sets it: if it says where the resource is, declare it with \
                 `identity = true` or `setting = true`; otherwise, desired.{name} is the declared value"
            ));
        }
        Some(match role {
            Role::Export => format!("`{name}` is nil, because the loader has not set it"),
            _ => format!(
                "`{name}` is nil, because it is not set: test `if {name} then`, or give the property a default or \
                 `required = true`"
            ),
        })
    }
}

impl ScriptedKind {
    /// What the loader may do wrong, if a resource still differs after its action ran.
    pub(crate) fn loader_hint(&self, wishes: &Wishes, current: &Map, desired: Desired) -> Option<String> {
        if !self.detects_absence() {
            return None;
        }
        if desired == Desired::Absent {
            let hint =
                "the loader still finds it: if it does not exist, call `current_value_does_not_exist()`";
            return Some(hint.to_owned());
        }
        let is_value = |value: Option<&Value>| value.is_some_and(|value| *value != Value::Null);
        let mut state = self.schema().properties.iter().filter(|property| property.role.is_state());
        let is_unset = |name: &str| is_value(wishes.get(name)) && !is_value(current.get(name));
        let unset = state.find(|property| is_unset(property.name))?.name;
        Some(format!("the loader does not set `{unset}`: `current.{unset} = …`"))
    }
}

/// An error of the machine whose hint is written in Luau.
pub(crate) fn with_luau_hint(error: Error) -> Error {
    match error.advice().map(in_luau) {
        Some(Cow::Owned(hint)) => error.hint(hint),
        _ => error,
    }
}

/// A hint with each block of HCL, `directory "/srv" {}`, as a call of Luau: `directory("/srv")`.
fn in_luau(hint: &str) -> Cow<'_, str> {
    const END: &str = "\" {}";
    let Some((before, after)) = hint.split_once(END) else { return hint.into() };
    let Some((before, name)) = before.rsplit_once(" \"") else { return hint.into() };
    format!("{before}(\"{name}\"){}", in_luau(after)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translates_blocks() {
        let check = |hint: &str, expected: &str| assert_eq!(in_luau(hint), expected);
        check("declare it: directory \"/srv\" {}", "declare it: directory(\"/srv\")");
        check("directory \"/a b\" {}; or `x = true`", "directory(\"/a b\"); or `x = true`");
        check("`package \"git\" {}`, `group \"g\" {}`", "`package(\"git\")`, `group(\"g\")`");
        check("set force = true", "set force = true");
        check("a map \"{}", "a map \"{}");
    }
}
