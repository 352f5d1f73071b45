//! Files of configuration, to be read and written back.

use std::path::{Path, PathBuf};

use uphold::LocalHost;
use uphold::resource::{Access, EntryKind, FileEdits, Files, NewFile};

use crate::error::CliError;

/// Nobody writes more configuration by hand into one file.
const LARGEST: u64 = 64 << 20;

/// The files that `path` stands for: itself, or the `*.hcl` files of a directory in the order of their names, with
/// those in its subdirectories if it is `recursive`.
///
/// Hidden files and directories are left out, and links in a directory are not followed.
///
/// # Errors
/// If it cannot be looked at, or holds no such file.
pub(crate) fn find(path: &Path, recursive: bool, host: &LocalHost) -> Result<Vec<PathBuf>, CliError> {
    let files = all(path, recursive, host)?;
    if files.is_empty() {
        let error = CliError::new(format!("there is no *.hcl file in {}", path.display()));
        return Err(match recursive {
            true => error,
            false => error.hint("name a file or another directory; --recursive looks in subdirectories, too"),
        });
    }
    Ok(files)
}

/// The same, and none is fine.
///
/// # Errors
/// If it cannot be looked at.
pub(crate) fn all(path: &Path, recursive: bool, host: &LocalHost) -> Result<Vec<PathBuf>, CliError> {
    match host.look(&absolute(path)?)?.map(|entry| entry.kind) {
        Some(EntryKind::Directory) => in_directory(path, recursive, host),
        Some(EntryKind::File) => Ok(vec![path.to_owned()]),
        Some(EntryKind::Link(target)) => {
            let message = format!("{} is a link, which is not followed", path.display());
            Err(CliError::new(message).hint(format!("name where it leads to: {}", target.display())))
        }
        Some(other) => {
            let message = format!("{} is {}, not a regular file", path.display(), other.words());
            Err(CliError::new(message).hint("`-` is standard input"))
        }
        None => {
            let message = format!("there is no file or directory {}", path.display());
            Err(CliError::new(message).hint("name a file, a directory, or - for standard input"))
        }
    }
}

fn in_directory(path: &Path, recursive: bool, host: &LocalHost) -> Result<Vec<PathBuf>, CliError> {
    let (mut files, mut directories) = (Vec::new(), vec![path.to_owned()]);
    while let Some(directory) = directories.pop() {
        let mut inner = Vec::new();
        for name in host.list(&absolute(&directory)?)? {
            let name = Path::new(&name);
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            let path = if directory == Path::new(".") { name.to_owned() } else { directory.join(name) };
            match host.look(&absolute(&path)?)?.map(|entry| entry.kind) {
                Some(EntryKind::Directory) if recursive => inner.push(path),
                Some(EntryKind::File) if name.extension().is_some_and(|end| end == "hcl") => files.push(path),
                _ => {}
            }
        }
        directories.extend(inner.into_iter().rev());
    }
    Ok(files)
}

/// The text of a file that may be written back.
///
/// # Errors
/// If it cannot be read, or is not UTF-8.
pub(crate) fn read(path: &Path, host: &LocalHost) -> Result<String, CliError> {
    let place = absolute(path)?;
    utf8(&path.display().to_string(), host.content(&place, LARGEST)?)
}

/// The text in these bytes.
///
/// # Errors
/// If they are not UTF-8.
pub(crate) fn utf8(name: &str, content: Vec<u8>) -> Result<String, CliError> {
    String::from_utf8(content).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        CliError::new(format!("{name}:{line}: a byte in this line is not UTF-8"))
            .hint("save the file as UTF-8")
    })
}

/// Replaces a file, all at once; its owner and mode stay.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(path: &Path, text: &str, host: &LocalHost) -> Result<(), CliError> {
    let file = NewFile::new(text.as_bytes(), Access::default());
    Ok(host.write(&absolute(path)?, &file)?)
}

/// The same path from the root on: hosts know no current directory.
///
/// # Errors
/// If there is no current directory.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, CliError> {
    std::path::absolute(path).map_err(|error| CliError::new("there is no current directory").because(&error))
}
