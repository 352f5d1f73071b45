//! Reading configuration files.

mod content;
mod disk;
mod files;

use std::os::unix::fs::FileTypeExt;
use std::path::{Component, Path, PathBuf};

use uphold_model::SourceText;
use uphold_resource::{Error, ErrorKind, Result};

use super::archive::Format;
use super::calls;
use super::io_error::io_error;

use content::FileContent;
pub use files::ConfigurationFiles;

// The source files of a configuration.

/// Reads configuration: a file, or all `*.hcl` files of a directory in the order of their names, or standard input for `-`.
/// Returns the name of each, as the user would write it, and its text. An archive counts as a directory, see
/// [`ConfigurationFiles`].
///
/// Hidden files are ignored, because editors create them; so are tests, `*.test.hcl`. Subdirectories are not entered.
///
/// # Errors
/// If a file cannot be read; if one is not UTF-8, with line and column of the first invalid byte; if a directory has no
/// `*.hcl` file.
pub fn read_configuration(path: &Path) -> Result<Vec<(String, SourceText)>> {
    ConfigurationFiles::new().configuration(path)
}

/// The type of a path that the user gave.
enum Named {
    Directory,
    File,
    /// A pipe or a device, such as the shell's `<(…)` and `/dev/stdin`: the user wants to wait for it.
    Stream,
}

impl ConfigurationFiles {
    /// Like [`read_configuration`], with the cache of these files. Standard input and pipes are not cached.
    ///
    /// # Errors
    /// As [`read_configuration`].
    pub fn configuration(&self, path: &Path) -> Result<Vec<(String, SourceText)>> {
        if path == Path::new("-") {
            let content = disk::read_stream(std::io::stdin().lock());
            let content = content.map_err(|error| error.while_("cannot read standard input"))?;
            return Ok(vec![(String::from("-"), text(path, FileContent::new(content))?)]);
        }
        match self.named(path)? {
            Named::Directory => {
                let files = self.files_in(path)?;
                files.iter().map(|file| pair(file, self.content(file))).collect()
            }
            Named::File => Ok(vec![pair(path, self.content(path))?]),
            Named::Stream => {
                let content = disk::open(path).and_then(disk::read_stream);
                Ok(vec![pair(path, content.map(FileContent::new))?])
            }
        }
    }

    /// Whether a path leads to something that can be read only once: standard input, a pipe or a device.
    pub fn is_stream(&self, path: &Path) -> bool {
        path == Path::new("-") || matches!(self.named(path), Ok(Named::Stream))
    }

    fn named(&self, path: &Path) -> Result<Named> {
        let Location::Disk(place) = self.locate(path) else {
            let directory = self.is_directory(path).map_err(|error| cannot_read(path, error))?;
            return Ok(if directory { Named::Directory } else { Named::File });
        };
        let kind = calls::metadata(&place).map_err(|error| cannot_find(path, error))?.file_type();
        if kind.is_dir() {
            return Ok(Named::Directory);
        }
        Ok(if kind.is_fifo() || kind.is_char_device() { Named::Stream } else { Named::File })
    }

    fn files_in(&self, directory: &Path) -> Result<Vec<PathBuf>> {
        let fail = |error: Error| {
            error.while_(format!("cannot read the configuration directory {}", directory.display()))
        };
        let names = self.list(directory).map_err(fail)?;
        let files: Vec<_> = names.iter().filter(|name| is_configuration(name)).collect();
        if files.is_empty() {
            let what = format!("there is no *.hcl file in {}", directory.display());
            return Err(Error::new(ErrorKind::Missing, what).hint("write one, or give another path"));
        }
        Ok(files.into_iter().map(|name| directory.join(name)).collect())
    }
}

/// Tests are beside the configuration, but not part of it.
fn is_configuration(name: &str) -> bool {
    name.ends_with(".hcl") && !name.ends_with(".test.hcl") && !name.starts_with('.')
}

fn cannot_find(path: &Path, error: std::io::Error) -> Error {
    let missing = error.kind() == std::io::ErrorKind::NotFound;
    let error = io_error("read the configuration", path, error);
    if missing {
        error.hint("give the path of a file, of a directory, or - for standard input")
    } else {
        error
    }
}

fn cannot_read(path: &Path, error: Error) -> Error {
    error.while_(format!("cannot read the configuration {}", path.display()))
}

fn pair(path: &Path, content: Result<FileContent>) -> Result<(String, SourceText)> {
    let content = content.map_err(|error| cannot_read(path, error))?;
    Ok((path.display().to_string(), text(path, content)?))
}

fn text(path: &Path, content: FileContent) -> Result<SourceText> {
    match content {
        FileContent::Text(text) => Ok(text),
        FileContent::Bytes(bytes) => Err(not_utf8(path, &bytes)),
    }
}

fn not_utf8(path: &Path, content: &[u8]) -> Error {
    let cause = str::from_utf8(content).err();
    let (line, column) = position(content, cause.map_or(0, |error| error.valid_up_to()));
    let what = format!("{}:{line}:{column}: this byte is not UTF-8", path.display());
    let error = Error::new(ErrorKind::Invalid, what).hint("save the file as UTF-8");
    cause.into_iter().fold(error, Error::because)
}

/// Line and column, both from 1, of the byte at `offset`; the bytes before it must be UTF-8. A column is a character.
fn position(content: &[u8], offset: usize) -> (usize, usize) {
    let before = String::from_utf8_lossy(&content[..offset]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

// The location of a path: on the disk, or in an archive.

/// The location of a path.
#[derive(Debug, PartialEq)]
enum Location {
    /// A path on the disk that is not an archive.
    Disk(PathBuf),
    /// An archive on the disk, or an entry in it.
    Archive { archive: PathBuf, format: Format, inside: Vec<String> },
}

impl Location {
    /// Finds the first archive in `path`. `is_file` is called for each name that looks like an archive.
    ///
    /// `..` in an archive goes up in it, and from its top to the directory that the archive is in.
    fn of(path: &Path, is_file: impl Fn(&Path) -> bool) -> Self {
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
