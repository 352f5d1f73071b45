//! What may stay in a directory besides what is managed.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use uphold_resource::{Context, Problem, Property, Type, Value};

use super::entry::Entry;

/// Whether a directory is swept: `true` for all that no resource manages, `false` for nothing, or
/// a list of what may stay.
///
/// Against what is there a wish settles into the list of what stays, so that a plan shows what
/// would go. For a new directory it stays a wish.
#[derive(Clone, PartialEq, Eq)]
pub struct Purge(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    /// A wish: sweep, or do not.
    Sweep(bool),
    /// What is there, or may stay.
    Entries(Vec<Inside>),
    /// Nobody asked what is there.
    Unread,
}

/// Something below the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inside {
    /// Where it is, below the directory.
    pub(crate) path: PathBuf,
    /// Whether it goes with all that is inside. Shown, so that a directory in the place of a file is another change than the
    /// one that was planned.
    pub(crate) is_directory: bool,
}

impl Inside {
    fn shown(&self) -> String {
        let slash = if self.is_directory { "/" } else { "" };
        format!("{}{slash}", self.path.to_string_lossy())
    }
}

impl Purge {
    /// What is there was not looked at.
    pub(crate) const UNREAD: Purge = Purge(Form::Unread);

    /// These are there, and nobody manages them.
    pub(crate) fn found(entries: Vec<Inside>) -> Self {
        Purge(Form::Entries(entries))
    }

    /// Whether anything could have to go.
    pub(crate) fn is_sweeping(&self) -> bool {
        self.0 != Form::Sweep(false)
    }

    /// What is there and not in `goal`.
    pub(crate) fn surplus<'a>(&'a self, goal: &'a Purge) -> impl Iterator<Item = &'a Inside> {
        let stay: HashSet<&PathBuf> = goal.entries().iter().map(|entry| &entry.path).collect();
        self.entries().iter().filter(move |entry| !stay.contains(&entry.path))
    }

    fn entries(&self) -> &[Inside] {
        match &self.0 {
            Form::Entries(entries) => entries,
            Form::Sweep(_) | Form::Unread => &[],
        }
    }
}

impl Property for Purge {
    const TYPE: &'static Type = &Type::Named {
        name: "purge",
        doc: "true, false, or a list of paths below the directory that may stay",
        example: r#"["keep.conf", "sub/keep"]"#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        if let Value::Bool(sweep) = value {
            return Ok(Purge(Form::Sweep(*sweep)));
        }
        let Value::List(_) = value else {
            let fix = "write true, false, or a list of what may stay";
            return Err(Problem::new(Some(value), "must be true, false or a list", fix));
        };
        let entries = Vec::<Entry>::from_value(value, context)?;
        let inside = |Entry(path)| Inside { path, is_directory: false };
        Ok(Purge(Form::Entries(entries.into_iter().map(inside).collect())))
    }

    fn to_value(&self) -> Value {
        match &self.0 {
            Form::Sweep(sweep) => Value::Bool(*sweep),
            Form::Entries(entries) => Value::list(entries.iter().map(|entry| Value::text(entry.shown()))),
            Form::Unread => Value::Null,
        }
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        let Some(current) = current else { return self.clone() };
        match &self.0 {
            Form::Sweep(true) => Purge::found(Vec::new()),
            Form::Entries(kept) => {
                let kept: HashSet<&Path> = kept.iter().map(|entry| entry.path.as_path()).collect();
                let stays = |entry: &&Inside| entry.path.ancestors().any(|top| kept.contains(top));
                Purge::found(current.entries().iter().filter(stays).cloned().collect())
            }
            Form::Sweep(false) | Form::Unread => current.clone(),
        }
    }
}

impl fmt::Debug for Purge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

impl From<bool> for Purge {
    fn from(sweep: bool) -> Self {
        Purge(Form::Sweep(sweep))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_settles_into_what_stays() {
        let check = |wish: Value, there: &[&str], expected: &str| {
            let wish = Purge::from_value(&wish, &Context::NOTHING).expect("a wish");
            let inside = |name: &&str| Inside { path: name.into(), is_directory: name.ends_with('/') };
            let there = Purge::found(there.iter().map(inside).collect());
            assert_eq!(format!("{:?}", wish.settle(Some(&there))), expected, "{wish:?} on {there:?}");
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
    fn a_new_directory_shows_the_wish() {
        for wish in [Value::Bool(true), Value::Bool(false), Value::list(["keep".into()])] {
            let purge = Purge::from_value(&wish, &Context::NOTHING).expect("a wish");
            assert_eq!(purge.settle(None).to_value(), wish);
        }
    }

    #[test]
    fn what_is_no_wish_is_refused() {
        for value in [Value::text("true"), Value::Int(1), Value::list([Value::Int(1)])] {
            assert!(Purge::from_value(&value, &Context::NOTHING).is_err(), "{value}");
        }
    }

    /// An entry that can match nothing would not keep what it means.
    #[test]
    fn what_is_not_below_the_directory_is_refused() {
        let check = |entry: &str, rule: &str, fix: &str| {
            let list = Value::list(["fine".into(), Value::text(entry)]);
            let problem = Purge::from_value(&list, &Context::NOTHING).expect_err(entry);
            assert_eq!((&*problem.property, &*problem.rule), ("[1]", rule), "{entry}");
            assert!(problem.fix.contains(fix), "{entry}: {}", problem.fix);
        };
        check("/d/keep.conf", "must be a path below the directory", "without a leading `/`");
        check("..", "must not contain `..`", "write the path");
        check("a/../b", "must not contain `..`", "write the path");
        check("", "must name something below the directory", "such as");
        check("./.", "must name something below the directory", "such as");
    }
}
