//! An entry of a list of paths to keep.

use std::path::{Component, Path, PathBuf};

use uphold_resource::{Context, Problem, Property, Type, Value};

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
