//! Differences between a directory and an archive.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The maximum number of differences shown; there may be thousands.
const SHOWN: usize = 20;

/// Paths below the directory that differ from the archive, each with a reason. Empty once converged.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Differing(BTreeMap<PathBuf, Why>);

/// How an entry differs from the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It does not exist.
    Missing,
    /// It has another type or content.
    Content,
    /// Its permissions differ.
    Mode,
    /// Its owner or group differs.
    Owner,
    /// It is not in the archive.
    Unmanaged {
        /// Whether it is a directory, which is removed with its content.
        is_directory: bool,
    },
}

impl Why {
    fn words(self) -> &'static str {
        match self {
            Why::Missing => "missing",
            Why::Content => "content",
            Why::Mode => "mode",
            Why::Owner => "owner",
            Why::Unmanaged { is_directory: false } => "not in the archive",
            Why::Unmanaged { is_directory: true } => "directory that is not in the archive",
        }
    }
}

impl Differing {
    /// Records the result for the entry at `path`; of several entries with one name the last counts.
    pub(crate) fn note(&mut self, path: &Path, why: Option<Why>) {
        match why {
            Some(why) => self.0.insert(path.to_owned(), why),
            None => self.0.remove(path),
        };
    }

    /// The difference recorded for the entry at `path`.
    pub(crate) fn why(&self, path: &Path) -> Option<Why> {
        self.0.get(path).copied()
    }

    /// Entries that are not in the archive, and whether each is a directory.
    pub(crate) fn unmanaged(&self) -> impl Iterator<Item = (&Path, bool)> {
        self.0.iter().filter_map(|(path, why)| match why {
            Why::Unmanaged { is_directory } => Some((path.as_path(), *is_directory)),
            _ => None,
        })
    }
}

impl Property for Differing {
    const TYPE: &'static Type =
        &Type::Named { name: "empty list", doc: "the differences, which must be none", example: "[]" };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::List(items) if items.is_empty() => Ok(Self::default()),
            _ => Err(Problem::new(Some(value), "must be an empty list", "do not set it: it is always empty")),
        }
    }

    fn to_value(&self) -> Value {
        let shown = self.0.iter().take(SHOWN);
        let shown = shown.map(|(path, why)| format!("{} ({})", path.display(), why.words()));
        let more = self.0.len().checked_sub(SHOWN).filter(|more| *more > 0);
        Value::list(shown.chain(more.map(|more| format!("and {more} more"))).map(Value::text))
    }
}

impl fmt::Debug for Differing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_entry_of_a_name_counts() {
        let mut differing = Differing::default();
        differing.note(Path::new("a"), Some(Why::Content));
        differing.note(Path::new("b"), Some(Why::Unmanaged { is_directory: false }));
        differing.note(Path::new("a"), None);
        assert_eq!(format!("{differing:?}"), r#"["b (not in the archive)"]"#);
        assert_eq!(differing.unmanaged().count(), 1);
        assert_eq!(Differing::from_value(&Value::list([]), &Context::NOTHING), Ok(Differing::default()));
        assert!(Differing::from_value(&differing.to_value(), &Context::NOTHING).is_err());
    }

    #[test]
    fn shows_at_most_twenty() {
        let mut differing = Differing::default();
        (0..1000).for_each(|at| differing.note(Path::new(&format!("f{at:04}")), Some(Why::Missing)));
        let Value::List(shown) = differing.to_value() else { panic!("it is a list") };
        assert_eq!((shown.len(), shown.last()), (21, Some(&Value::text("and 980 more"))));
    }
}
