//! Finding a kind or a property by what the user wrote.

use uphold::model::{PropertySchema, Schema, closest};
use uphold::resource::{Kind, Registry};

use super::words::members;
use crate::error::CliError;

/// The kind of this name.
///
/// # Errors
/// If there is none; the error names the one that was probably meant.
pub(crate) fn find_kind<'a>(kinds: &'a Registry, name: &str) -> Result<&'a Kind, CliError> {
    kinds.get(name).ok_or_else(|| {
        let hint = match kinds.suggest(name) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`uphold explain` lists all kinds".to_owned(),
        };
        CliError::new(format!("there is no kind `{name}`")).hint(hint)
    })
}

/// The property at `path`, also inside nested structs: `mode`, `status.stdout`.
///
/// # Errors
/// If a step of it leads nowhere; the error names the one that was probably meant.
pub(crate) fn find_property(schema: &Schema, path: &str) -> Result<&'static PropertySchema, CliError> {
    let mut steps = path.split('.');
    let first = steps.next().unwrap_or_default();
    let names = || schema.all().iter().map(|property| property.name).collect();
    let mut found = schema.property(first).ok_or_else(|| unknown(schema, path, first, names()))?;
    for step in steps {
        let members = members(found.ty);
        let names = || members.iter().map(|member| member.name).collect();
        let next = members.iter().find(|member| member.name == step);
        found = next.ok_or_else(|| unknown(schema, path, step, names()))?;
    }
    Ok(found)
}

fn unknown(schema: &Schema, path: &str, step: &str, known: Vec<&str>) -> CliError {
    let hint = match closest(step, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`uphold explain {}` lists its properties", schema.kind),
    };
    CliError::new(format!("`{}` has no property `{path}`", schema.kind)).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_gets_a_suggestion() {
        let kinds = uphold::kinds();
        let check = |kind: &str, path: &str, message: &str, hint: &str| {
            let found = find_kind(&kinds, kind).and_then(|kind| find_property(kind.schema(), path));
            let error = found.err().unwrap_or_else(|| panic!("{kind}.{path} is there"));
            assert_eq!((error.message.as_str(), error.hint.as_deref()), (message, Some(hint)));
        };
        check("tsk", "name", "there is no kind `tsk`", "did you mean `task`?");
        check("banana", "name", "there is no kind `banana`", "`uphold explain` lists all kinds");
        check("task", "chekc", "`task` has no property `chekc`", "did you mean `check`?");
        check("task", "status.stdot", "`task` has no property `status.stdot`", "did you mean `stdout`?");
        check(
            "task",
            "name.x",
            "`task` has no property `name.x`",
            "`uphold explain task` lists its properties",
        );
        assert!(find_property(kinds.get("task").expect("it ships").schema(), "status.stdout").is_ok());
    }
}
