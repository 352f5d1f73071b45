//! The property `purge` of a directory.

use std::collections::HashSet;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use uphold_kit::unmanaged::PathInside;
use uphold_resource::{Context, Problem, Property, Type, Value};

/// Whether unmanaged content of a directory is removed: `true` for all of it, `false` for none, or a list of paths
/// to keep.
///
/// For an existing directory, a declared value resolves to the list of paths that stay, so that a plan shows what
/// is removed. A new directory is empty: a plan does not list paths to keep as if they were created.
#[derive(Clone, PartialEq, Eq)]
pub struct Purge(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    /// A declared bool.
    All(bool),
    /// Existing paths, or paths to keep.
    Entries(Vec<PathInside>),
}

impl Purge {
    /// These unmanaged paths exist.
    pub(crate) fn found(entries: Vec<PathInside>) -> Self {
        Purge(Form::Entries(entries))
    }

    /// Whether anything may have to be removed.
    pub(crate) fn is_active(&self) -> bool {
        self.0 != Form::All(false)
    }

    /// The existing paths that are not in `goal`.
    pub(crate) fn surplus<'a>(&'a self, goal: &'a Purge) -> impl Iterator<Item = &'a PathInside> {
        let stay: HashSet<&PathBuf> = goal.entries().iter().map(|entry| &entry.path).collect();
        self.entries().iter().filter(move |entry| !stay.contains(&entry.path))
    }

    /// The declared paths to keep.
    pub(crate) fn kept(&self) -> HashSet<&Path> {
        self.entries().iter().map(|entry| entry.path.as_path()).collect()
    }

    fn entries(&self) -> &[PathInside] {
        match &self.0 {
            Form::Entries(entries) => entries,
            Form::All(_) => &[],
        }
    }
}

impl Property for Purge {
    const TYPE: &'static Type = &Type::Named {
        name: "purge",
        doc: "true, false, or a list of paths below the directory to keep",
        example: r#"["keep.conf", "sub/keep"]"#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        if let Value::Bool(all) = value {
            return Ok(Purge(Form::All(*all)));
        }
        let Value::List(_) = value else {
            let fix = "use true, false, or a list of paths to keep";
            return Err(Problem::new(Some(value), "must be true, false or a list", fix));
        };
        let entries = Vec::<Entry>::from_value(value, context)?;
        let inside = |Entry(path)| PathInside { path, is_directory: false };
        Ok(Purge(Form::Entries(entries.into_iter().map(inside).collect())))
    }

    fn to_value(&self) -> Value {
        match &self.0 {
            Form::All(all) => Value::Bool(*all),
            Form::Entries(entries) => Value::list(entries.iter().map(|entry| Value::text(entry.to_string()))),
        }
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        let Some(current) = current else { return self.is_active().into() };
        match &self.0 {
            Form::All(true) => Purge::found(Vec::new()),
            Form::Entries(_) => {
                let kept = self.kept();
                let stays = |entry: &&PathInside| entry.path.ancestors().any(|top| kept.contains(top));
                Purge::found(current.entries().iter().filter(stays).cloned().collect())
            }
            Form::All(false) => current.clone(),
        }
    }
}

impl fmt::Debug for Purge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

impl From<bool> for Purge {
    fn from(all: bool) -> Self {
        Purge(Form::All(all))
    }
}

// An entry of a list of paths to keep.

/// A normalised path below a directory. Any other spelling, or a pattern, would not match the paths that are found,
/// and so would not keep them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry(pub(crate) PathBuf);

impl Property for Entry {
    const TYPE: &'static Type = String::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let refused = |rule: &str, fix: &str| Err(Problem::new(Some(value), rule, fix));
        if text.contains(['*', '?', '[']) {
            let fix = "name each path to keep; a directory in the list is kept with its content";
            return refused("must be a path: patterns are not supported", fix);
        }
        let mut names = PathBuf::new();
        for part in Path::new(&text).components() {
            match part {
                Component::Normal(name) => names.push(name),
                Component::CurDir => {}
                Component::ParentDir => {
                    return refused("must not contain `..`", "write the path without `..`");
                }
                Component::RootDir | Component::Prefix(_) => {
                    let fix = "write it relative to the directory, without a leading `/`";
                    return refused("must be a path below the directory", fix);
                }
            }
        }
        if names.as_os_str().is_empty() {
            refused("must name a path below the directory", "write a name, such as `keep.conf`")
        } else {
            Ok(Self(names))
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_value_resolves_to_kept_paths() {
        let check = |declared: Value, current: &[&str], expected: &str| {
            let declared = Purge::from_value(&declared, &Context::NOTHING).expect("valid");
            let inside = |name: &&str| PathInside { path: name.into(), is_directory: name.ends_with('/') };
            let current = Purge::found(current.iter().map(inside).collect());
            assert_eq!(
                format!("{:?}", declared.settle(Some(&current))),
                expected,
                "{declared:?} on {current:?}"
            );
        };
        check(Value::Bool(true), &["a", "b"], "[]");
        check(Value::Bool(false), &["a", "b"], r#"["a", "b"]"#);
        check(Value::list([]), &["a"], "[]");
        check(Value::list(["a".into(), "x".into()]), &["a", "ab", "b"], r#"["a"]"#);
        check(Value::list(["d".into()]), &["d/e", "f/d"], r#"["d/e"]"#);
        check(Value::Bool(false), &["a"], r#"["a"]"#);
        check(Value::list(["./a".into(), "d//e/./f/".into()]), &["a", "d/e/f", "d/e/g"], r#"["a", "d/e/f"]"#);
    }

    #[test]
    fn new_directory_shows_no_paths() {
        let check = |declared: Value, shown: bool| {
            let purge = Purge::from_value(&declared, &Context::NOTHING).expect("valid");
            assert_eq!(purge.settle(None).to_value(), Value::Bool(shown), "{declared}");
        };
        check(Value::Bool(true), true);
        check(Value::Bool(false), false);
        check(Value::list(["keep".into()]), true);
    }

    #[test]
    fn refuses_other_values() {
        for value in [Value::text("true"), Value::Int(1), Value::list([Value::Int(1)])] {
            assert!(Purge::from_value(&value, &Context::NOTHING).is_err(), "{value}");
        }
    }

    /// A path that can match nothing would not keep what the user means.
    #[test]
    fn refuses_paths_outside_the_directory() {
        let check = |entry: &str, rule: &str, fix: &str| {
            let list = Value::list(["fine".into(), Value::text(entry)]);
            let problem = Purge::from_value(&list, &Context::NOTHING).expect_err(entry);
            assert_eq!((&*problem.property, &*problem.rule), ("[1]", rule), "{entry}");
            assert!(problem.fix.contains(fix), "{entry}: {}", problem.fix);
        };
        check("/d/keep.conf", "must be a path below the directory", "without a leading `/`");
        check("..", "must not contain `..`", "write the path");
        check("a/../b", "must not contain `..`", "write the path");
        for pattern in ["*.conf", "sub/?", "[ab].conf"] {
            check(pattern, "must be a path: patterns are not supported", "name each path to keep");
        }
        check("", "must name a path below the directory", "such as");
        check("./.", "must name a path below the directory", "such as");
    }
}
