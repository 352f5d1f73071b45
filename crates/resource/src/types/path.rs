//! Paths.

use std::fmt;
use std::ops::Deref;
use std::path::{Component, Path, PathBuf};

use uphold_model::{Claim, Claims, Name, Problem, Role, Type, Value};

use super::{mismatch, refused};
use crate::host::Reading;
use crate::interest::Interest;
use crate::property::{Base, Context, Property};

/// An absolute path. `~` and `~user` are replaced by home directories; a relative path is joined to the property in
/// `relative_to`. Doubled and trailing slashes and `.` are dropped, so that a path has one form. `..` is refused, because
/// after a symbolic link it does not lead to the directory that the path shows.
///
/// A path in this form takes no extra memory: it is shared with the declared string.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbsolutePath(Name);

impl AbsolutePath {
    /// A path in normal form.
    ///
    /// # Errors
    /// If it is not absolute or contains `..`.
    pub fn new(path: impl AsRef<Path>) -> Result<Self, Problem> {
        let value = Value::text(path.as_ref().to_string_lossy());
        Self::from_value(&value, &Context::NOTHING)
    }

    /// The path of `name` in this directory.
    #[must_use]
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.as_path().join(name)
    }

    fn as_path(&self) -> &Path {
        Path::new(&*self.0)
    }
}

impl Property for AbsolutePath {
    const TYPE: &'static Type = &Type::Named {
        name: "path",
        doc: "an absolute path; `~` is a home directory",
        example: r#""/etc/motd""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let Value::Text(text) = value else {
            return Err(mismatch(value, "a path", "put it in quotes"));
        };
        if is_plain(text) {
            return Ok(Self(text.clone()));
        }
        let path = absolute(text, context).ok_or_else(|| not_absolute(value, text))?;
        if text.contains('\0') {
            return Err(refused(value, "must not contain a NUL character", "remove it"));
        }
        if path.components().any(|part| part == Component::ParentDir) {
            return Err(refused(value, "must not contain `..`", "write the path without it"));
        }
        let plain: PathBuf = path.components().collect();
        match plain.to_str() {
            Some(plain) if *plain == **text => Ok(Self(text.clone())),
            Some(plain) => Ok(Self(plain.into())),
            None => Err(refused(
                value,
                "begins in a home directory whose name is not UTF-8",
                "write another path",
            )),
        }
    }

    fn to_value(&self) -> Value {
        Value::Text(self.0.clone())
    }

    /// A resource provides the path that names it, and depends on its parent. It depends on any other path.
    fn claim(&self, role: Role, claims: &mut Claims) {
        if matches!(role, Role::Name | Role::Identity) {
            claims.hold(Claim::Path(self.to_path_buf()));
            if let Some(parent) = parent_of_plain(&self.0) {
                claims.need(Claim::Path(parent.into()));
            }
        } else if role != Role::Export {
            claims.need(Claim::Path(self.to_path_buf()));
        }
    }

    fn watch(&self, role: Role, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        if role != Role::Export {
            interests.push(Interest::Path(self.to_path_buf()));
        }
    }
}

/// Whether a path is absolute and in normal form already, as most are. Allocates nothing.
fn is_plain(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('/') else { return false };
    let is_name = |part: &[u8]| !matches!(part, b"" | b"." | b"..");
    rest.is_empty() || (rest.as_bytes().split(|byte| *byte == b'/').all(is_name) && !rest.contains('\0'))
}

/// The parent of a path in normal form. Costs less than looking at each part.
fn parent_of_plain(path: &str) -> Option<&str> {
    match path.rfind('/')? {
        0 => (path.len() > 1).then_some("/"),
        end => Some(&path[..end]),
    }
}

fn not_absolute(value: &Value, text: &str) -> Problem {
    if text.starts_with('~') {
        return refused(value, "begins in an unknown home directory", "write the path from `/`");
    }
    refused(value, "must be an absolute path", "begin it with `/` or `~/`")
}

fn absolute(text: &str, context: &Context<'_>) -> Option<PathBuf> {
    if let Some(rest) = text.strip_prefix('~') {
        let (user, rest) = rest.split_once('/').unwrap_or((rest, ""));
        return Some((context.home)(user)?.join(rest));
    }
    if text.starts_with('/') {
        return Some(PathBuf::from(text));
    }
    Some(Path::new(context.base.filter(|_| !text.is_empty())?).join(text))
}

impl Deref for AbsolutePath {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.as_path()
    }
}

impl AsRef<Path> for AbsolutePath {
    fn as_ref(&self) -> &Path {
        self.as_path()
    }
}

impl Base for AbsolutePath {
    fn base(&self) -> Option<&str> {
        Some(&self.0)
    }
}

impl fmt::Debug for AbsolutePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for AbsolutePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A path as written, relative or not, such as the target of a symbolic link. It is joined to the property in
/// `relative_to`, if there is one; otherwise unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnyPath(String);

impl AnyPath {
    /// This path, unchanged.
    pub fn new(path: impl Into<String>) -> Self {
        Self(path.into())
    }
}

impl Property for AnyPath {
    const TYPE: &'static Type =
        &Type::Named { name: "any path", doc: "a path, kept as written", example: r#""../target""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let Value::Text(text) = value else {
            return Err(mismatch(value, "a path", "put it in quotes"));
        };
        if text.is_empty() || text.contains('\0') {
            return Err(refused(value, "cannot be empty or contain a NUL character", "write a path"));
        }
        Ok(Self(match context.base {
            Some(base) if !text.starts_with('/') => format!("{}/{text}", base.trim_end_matches('/')),
            _ => text.to_string(),
        }))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

impl AsRef<Path> for AnyPath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl Base for AnyPath {
    fn base(&self) -> Option<&str> {
        Some(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_are_those_that_decoding_does_not_change() {
        for text in [
            "/", "/a", "/a/b.c", "/a/.b", "/a/...", "/ä b", "//", "/a/", "/a//b", "/a/.", "/./a", "/a/../b",
            "/..", "a", "", "~", "/\0",
        ] {
            let path: PathBuf = Path::new(text).components().collect();
            let has_parent = path.components().any(|part| part == Component::ParentDir);
            let unchanged = path.to_str() == Some(text) && text.starts_with('/') && !has_parent;
            assert_eq!(is_plain(text), unchanged && !text.contains('\0'), "{text:?}");
            if is_plain(text) {
                assert_eq!(parent_of_plain(text).map(Path::new), path.parent(), "{text:?}");
            }
        }
    }
}
