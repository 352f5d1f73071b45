//! Source files of content.

use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use uphold_model::{Claims, Name, Problem, Role, Type, Value};

use super::{AbsolutePath, mismatch, refused};
use crate::error::Result;
use crate::host::{OpenFile, Reading};
use crate::interest::Interest;
use crate::property::{Context, Property};

/// The keys of the value that represents a file beside the configuration.
const WRITTEN: &str = "beside";
const CONTENT: &str = "content";
const REASON: &str = "unreadable";

/// A file that content is taken from. An absolute path is a file on the machine. A relative one is beside the configuration
/// and is read together with it, so that it is found wherever the machine's root is, and its content is an input of the
/// configuration like any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceFile {
    /// On the machine.
    OnMachine(AbsolutePath),
    /// Beside the configuration.
    Beside(BesideFile),
}

/// A file beside the configuration, as it was when the configuration was read.
#[derive(Clone, PartialEq, Eq)]
pub struct BesideFile {
    written: Name,
    content: Arc<[u8]>,
}

impl SourceFile {
    /// Whether this is the type of source files.
    pub fn is_type(ty: &Type) -> bool {
        match ty {
            Type::Named { name, .. } => *name == "source",
            Type::Nullable(inner) => Self::is_type(inner),
            _ => false,
        }
    }

    /// Whether a path is relative, and so beside the configuration.
    pub fn is_beside(path: &str) -> bool {
        !path.is_empty() && !path.starts_with(['/', '~'])
    }

    /// The value of a file beside the configuration, with its content.
    pub fn read_beside(written: &Name, content: Vec<u8>) -> Value {
        Value::map([(WRITTEN, Value::Text(written.clone())), (CONTENT, Value::Bytes(content.into()))])
    }

    /// The value of a file beside the configuration that could not be read, with the reason.
    pub fn unreadable(written: &Name, reason: String) -> Value {
        Value::map([(WRITTEN, Value::Text(written.clone())), (REASON, Value::text(reason))])
    }

    /// The path as written, if the value represents a file beside the configuration.
    pub fn written(value: &Value) -> Option<Value> {
        match value {
            Value::Map(map) if map.len() == 2 && (map.contains_key(CONTENT) || map.contains_key(REASON)) => {
                map.get(WRITTEN).cloned()
            }
            _ => None,
        }
    }

    /// Its whole content, of at most `limit` bytes for a file on the machine.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, host: &Reading<'_>, limit: u64) -> Result<Vec<u8>> {
        match self {
            Self::OnMachine(path) => host.files().read_within(path, 0, limit),
            Self::Beside(file) => Ok(file.content.to_vec()),
        }
    }

    /// Opens its content for reading in pieces.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open<'a>(&self, host: &Reading<'a>) -> Result<Box<dyn OpenFile + 'a>> {
        match self {
            Self::OnMachine(path) => host.open(path),
            Self::Beside(file) => Ok(Box::new(Cursor::new(file.content.to_vec()))),
        }
    }
}

/// Whether a value that is no path is the content of a file: it has several lines, or is too long for a path.
fn is_content(value: &Value) -> bool {
    const LONGEST_PATH: usize = 4096;
    matches!(value, Value::Text(text) if text.contains('\n') || text.len() > LONGEST_PATH)
}

impl Property for SourceFile {
    const TYPE: &'static Type = &Type::Named {
        name: "source",
        doc: "a path: a relative one is beside the configuration, an absolute one on the machine",
        example: r#""/etc/motd""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> std::result::Result<Self, Problem> {
        let Value::Map(map) = value else {
            return match value {
                Value::Text(text) if Self::is_beside(text) => {
                    let fix = "write an absolute path";
                    Err(refused(
                        value,
                        "must be absolute, because this resource is not declared in a configuration file",
                        fix,
                    ))
                }
                Value::Text(_) => AbsolutePath::from_value(value, context).map(Self::OnMachine),
                _ => Err(mismatch(value, "a path", "put it in quotes")),
            };
        };
        match (map.get(WRITTEN), map.get(CONTENT), map.get(REASON)) {
            (Some(Value::Text(written)), Some(Value::Bytes(content)), None) => {
                Ok(Self::Beside(BesideFile { written: written.clone(), content: content.clone() }))
            }
            (Some(written @ Value::Text(_)), None, Some(Value::Text(reason))) => {
                let fix = if is_content(written) {
                    "this is the content itself, not a path: write `content = …` instead of `source`"
                } else if reason.starts_with("it is a directory") {
                    "to copy a directory, write `for_each = fileset(…)`, and `each.key` in `path` and `source`"
                } else {
                    "create the file; for a file on the machine, write an absolute path"
                };
                Err(refused(written, format!("cannot be read: {reason}"), fix))
            }
            _ => Err(mismatch(value, "a path", "put it in quotes")),
        }
    }

    /// Includes the content, so that a watch detects a change of it by comparing values.
    fn to_value(&self) -> Value {
        match self {
            Self::OnMachine(path) => path.to_value(),
            Self::Beside(file) => {
                let content = Value::Bytes(file.content.clone());
                Value::map([(WRITTEN, Value::Text(file.written.clone())), (CONTENT, content)])
            }
        }
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        if let Self::OnMachine(path) = self {
            path.claim(role, claims);
        }
    }

    /// A file beside the configuration is watched together with it.
    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        if let Self::OnMachine(path) = self {
            path.watch(role, host, interests);
        }
    }
}

impl fmt::Display for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnMachine(path) => path.fmt(f),
            Self::Beside(file) => f.write_str(&file.written),
        }
    }
}

/// Only its path: the content may be large, or a secret.
impl fmt::Debug for BesideFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.written, f)
    }
}
