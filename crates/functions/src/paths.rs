//! Path functions, which work on strings only and never access the machine.

use std::path::{Path, PathBuf};

use uphold_model::{Shape, Value};

use crate::call::{Call, Fault, Surroundings};
use crate::function::Accepts::Text;
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "abspath",
        topic: Topic::Paths,
        parameters: &[takes("path", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the absolute path. A relative path starts at the directory of the file that contains \
              the call.",
        examples: &[
            example("abspath(\"files/motd\")", "\"/srv/site/files/motd\""),
            example("abspath(\"/etc/../srv/\")", "\"/srv\""),
        ],
        body: Body::Whole(|call| text(&absolute(call, call.text(0)?))),
    },
    Function {
        name: "basename",
        topic: Topic::Paths,
        parameters: &[takes("path", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the last component of a path.",
        examples: &[example("basename(\"/etc/ssh/sshd_config\")", "\"sshd_config\"")],
        body: Body::Whole(|call| Ok(Value::text(basename(call.text(0)?)))),
    },
    Function {
        name: "dirname",
        topic: Topic::Paths,
        parameters: &[takes("path", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns a path without its last component, or `.` if there is only one.",
        examples: &[
            example("dirname(\"/etc/ssh/sshd_config\")", "\"/etc/ssh\""),
            example("dirname(\"motd\")", "\".\""),
        ],
        body: Body::Whole(|call| Ok(Value::text(dirname(call.text(0)?)))),
    },
    Function {
        name: "joinpath",
        topic: Topic::Paths,
        parameters: &[takes("path", Text)],
        rest: Some(takes("paths", Text)),
        gives: Some(Shape::Text),
        doc: "Joins components into a path. Empty components, `.`, duplicate slashes and, where possible, \
              `..` are removed.",
        examples: &[
            example("joinpath(\"/etc\", \"ssh\", \"sshd_config\")", "\"/etc/ssh/sshd_config\""),
            example("joinpath(\"a/\", \"/b\", \"../c\")", "\"a/c\""),
        ],
        body: Body::Whole(joinpath),
    },
    Function {
        name: "pathexpand",
        topic: Topic::Paths,
        parameters: &[takes("path", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Replaces `~` at the start of a path by the home directory, taken from the environment variable \
              `HOME`.",
        examples: &[example("pathexpand(\"~/.ssh\")", "\"/home/ann/.ssh\"")],
        body: Body::Whole(pathexpand),
    },
];

/// An absolute, cleaned path; a relative one starts at the directory of the caller.
pub(crate) fn absolute(call: &Call<'_>, path: &str) -> PathBuf {
    let whole = call.surroundings.current_directory().join(readable(call, path));
    PathBuf::from(clean(&whole.to_string_lossy()))
}

/// The path to read; a relative one starts at the directory of the caller.
pub(crate) fn readable(call: &Call<'_>, path: &str) -> PathBuf {
    beside(call.surroundings, call.directory, path)
}

/// A path that a file of the configuration names, relative to the directory of that file.
///
/// A path from `path.module` contains this directory already. It is used as it is, unless the file has one of this
/// name beside it.
pub fn beside(surroundings: &dyn Surroundings, directory: &Path, path: &str) -> PathBuf {
    let beside = directory.join(path);
    let from_module = !directory.as_os_str().is_empty() && Path::new(path).starts_with(directory);
    let exists = |path: &Path| surroundings.read(path).is_ok() || surroundings.list(path).is_ok();
    if from_module && !exists(&beside) { path.into() } else { beside }
}

fn text(path: &Path) -> Result<Value, Fault> {
    Ok(Value::text(path.to_string_lossy().into_owned()))
}

/// The shortest equivalent path, if no component is a link; `.` for an empty one.
pub(crate) fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    match (rooted, parts.join("/")) {
        (true, rest) => format!("/{rest}"),
        (false, rest) if rest.is_empty() => ".".to_owned(),
        (false, rest) => rest,
    }
}

fn basename(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit('/').next() {
        Some("") | None if path.is_empty() => ".",
        Some("") | None => "/",
        Some(name) => name,
    }
}

fn dirname(path: &str) -> String {
    match path.rfind('/') {
        Some(at) => clean(&path[..=at]),
        None => ".".to_owned(),
    }
}

fn joinpath(call: &Call<'_>) -> Result<Value, Fault> {
    let mut parts = Vec::new();
    for index in 0..call.arguments.len() {
        let part = &**call.text(index)?;
        if !part.is_empty() {
            parts.push(part);
        }
    }
    Ok(Value::text(if parts.is_empty() { String::new() } else { clean(&parts.join("/")) }))
}

fn pathexpand(call: &Call<'_>) -> Result<Value, Fault> {
    let path = call.text(0)?;
    let rest = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
        Some(_) => return Err(Fault::at(0, "home directories of other users are not available")),
        None => return Ok(Value::Text(path.clone())),
    };
    let home = call.surroundings.variable("HOME").filter(|home| !home.is_empty());
    let home = home.ok_or_else(|| Fault::at(0, "there is no home directory: `HOME` is not set"))?;
    Ok(Value::text(format!("{}{rest}", home.trim_end_matches('/'))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned_and_cut_as_in_go() {
        let check = |path: &str, cleaned: &str, base: &str, directory: &str| {
            assert_eq!(
                (&*clean(path), basename(path), &*dirname(path)),
                (cleaned, base, directory),
                "{path:?}"
            );
        };
        check("", ".", ".", ".");
        check("/", "/", "/", "/");
        check("//", "/", "/", "/");
        check("a", "a", "a", ".");
        check("a/", "a", "a", "a");
        check("a//b/./c", "a/b/c", "c", "a/b");
        check("../a/../..", "../..", "..", "..");
        check("/../a", "/a", "a", "/");
    }
}
