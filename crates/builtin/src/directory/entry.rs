//! What is named in the list of what may stay.

use std::path::{Component, Path, PathBuf};

use uphold_resource::{Context, Problem, Property, Type, Value};

/// A path below a directory, made of names alone, so that one thing has one name. Another path would
/// equal nothing that is found, and not keep what it means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry(pub(crate) PathBuf);

impl Property for Entry {
    const TYPE: &'static Type = String::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let refused = |rule: &str, fix: &str| Err(Problem::new(Some(value), rule, fix));
        let mut names = PathBuf::new();
        for part in Path::new(&text).components() {
            match part {
                Component::Normal(name) => names.push(name),
                Component::CurDir => {}
                Component::ParentDir => {
                    return refused("must not contain `..`", "write the path that is meant");
                }
                Component::RootDir | Component::Prefix(_) => {
                    let fix = "write it as seen from the directory, without a leading `/`";
                    return refused("must be a path below the directory", fix);
                }
            }
        }
        match names.as_os_str().is_empty() {
            true => refused("must name something below the directory", "write a name, such as `keep.conf`"),
            false => Ok(Self(names)),
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.to_string_lossy())
    }
}
