//! The location of a path: on the disk, or in an archive.

use std::path::{Component, Path, PathBuf};

use crate::archive::Format;

/// The location of a path.
#[derive(Debug, PartialEq)]
pub(super) enum Location {
    /// A path on the disk that is not an archive.
    Disk(PathBuf),
    /// An archive on the disk, or an entry in it.
    Archive { archive: PathBuf, format: Format, inside: Vec<String> },
}

impl Location {
    /// Finds the first archive in `path`. `is_file` is called for each name that looks like an archive.
    ///
    /// `..` in an archive goes up in it, and from its top to the directory that the archive is in.
    pub(super) fn of(path: &Path, is_file: impl Fn(&Path) -> bool) -> Self {
        let mut location = Location::Disk(PathBuf::new());
        for component in path.components() {
            location = location.enter(component, &is_file);
        }
        location
    }

    fn enter(self, component: Component<'_>, is_file: impl Fn(&Path) -> bool) -> Self {
        match self {
            Location::Disk(mut path) => {
                path.push(component);
                match archive_format(component).filter(|_| is_file(&path)) {
                    Some(format) => Location::Archive { archive: path, format, inside: Vec::new() },
                    None => Location::Disk(path),
                }
            }
            Location::Archive { mut archive, format, mut inside } => match component {
                Component::ParentDir if inside.pop().is_none() => {
                    archive.pop();
                    Location::Disk(archive)
                }
                Component::Normal(name) => {
                    // No entry has a name that is not UTF-8, and none has this one.
                    inside.push(name.to_str().unwrap_or("\0").to_owned());
                    Location::Archive { archive, format, inside }
                }
                _ => Location::Archive { archive, format, inside },
            },
        }
    }
}

fn archive_format(component: Component<'_>) -> Option<Format> {
    match component {
        Component::Normal(name) => Format::of(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_archives_in_paths() {
        let check = |path: &str, expected: Option<(&str, &str)>| {
            let is_file = |path: &Path| !path.ends_with("directory.tar");
            let expected = match expected {
                None => Location::Disk(PathBuf::from(path)),
                Some((archive, inside)) => Location::Archive {
                    archive: PathBuf::from(archive),
                    format: Format::Tar,
                    inside: inside.split_terminator('/').map(str::to_owned).collect(),
                },
            };
            assert_eq!(Location::of(Path::new(path), is_file), expected, "{path}");
        };
        check("a/b.hcl", None);
        check("../b.hcl", None);
        check("directory.tar/b.hcl", None);
        check("a/web.tar", Some(("a/web.tar", "")));
        check("a/web.tar/", Some(("a/web.tar", "")));
        check("/a/web.tar/x/y", Some(("/a/web.tar", "x/y")));
        check("a/../web.tar/./x/../y", Some(("a/../web.tar", "y")));
        check("directory.tar/web.tar/x", Some(("directory.tar/web.tar", "x")));
        check("web.tar/inner.tar/x", Some(("web.tar", "inner.tar/x")));
        check("web.tar/x/../../other.tar/y", Some(("other.tar", "y")));
        assert_eq!(Location::of(Path::new("web.tar/../b"), |_| true), Location::Disk(PathBuf::from("b")));
    }
}
