//! Text files: finding, reading and rewriting configuration files, and writing generated ones.

use std::path::{Path, PathBuf};

use uphold::resource::{Access, EntryKind, FileEdits, Files, NewFile};
use uphold::{ErrorKind, LocalHost};

use crate::CliError;

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// The modes of new directories and files: readable by all users.
const DIRECTORY: Access = Access { mode: Some(0o755), uid: None, gid: None };
const FILE: Access = Access { mode: Some(0o644), uid: None, gid: None };

/// The file `path`, or the `*.hcl` files of the directory `path` sorted by name, and of its subdirectories if
/// `recursive`. Hidden files and directories are left out, and symbolic links are not followed.
///
/// # Errors
/// If there is no such file.
pub(crate) fn find(path: &Path, recursive: bool, host: &LocalHost) -> Result<Vec<PathBuf>, CliError> {
    let files = all(path, recursive, host)?;
    if files.is_empty() {
        let error = CliError::new(format!("no *.hcl file in {}", path.display()));
        let hint = "name a file or another directory, or search subdirectories with --recursive";
        return Err(if recursive { error } else { error.hint(hint) });
    }
    Ok(files)
}

/// Like [`find`], but an empty list is no error.
pub(crate) fn all(path: &Path, recursive: bool, host: &LocalHost) -> Result<Vec<PathBuf>, CliError> {
    match host.look(&absolute(path)?)?.map(|entry| entry.kind) {
        Some(EntryKind::Directory) => in_directory(path, recursive, host),
        Some(EntryKind::File) => Ok(vec![path.to_owned()]),
        Some(EntryKind::Link(target)) => {
            let message = format!("{} is a symbolic link, which is not followed", path.display());
            Err(CliError::new(message).hint(format!("name its target: {}", target.display())))
        }
        Some(other) => {
            let message = format!("{} is {}, not a regular file", path.display(), other.words());
            Err(CliError::new(message).hint("`-` is standard input"))
        }
        None => {
            let message = format!("{} does not exist", path.display());
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

pub(crate) fn read(path: &Path, host: &LocalHost) -> Result<String, CliError> {
    let place = absolute(path)?;
    utf8(&path.display().to_string(), host.content(&place, LARGEST)?)
}

/// Decodes the content of the file `name`.
pub(crate) fn utf8(name: &str, content: Vec<u8>) -> Result<String, CliError> {
    String::from_utf8(content).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        CliError::new(format!("{name}:{line}: this line is not UTF-8")).hint("save the file as UTF-8")
    })
}

/// Replaces a file atomically; its owner and mode stay.
pub(crate) fn write(path: &Path, text: &str, host: &LocalHost) -> Result<(), CliError> {
    let file = NewFile::new(text.as_bytes(), Access::default());
    Ok(host.write(&absolute(path)?, &file)?)
}

/// The absolute path: a host has no current directory.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, CliError> {
    std::path::absolute(path)
        .map_err(|error| CliError::new("cannot determine the current directory").because(&error))
}

/// Writes files, given by their relative paths and contents, each atomically, and creates missing directories, also
/// `directory` itself. Stops at the first error.
pub(crate) fn write_all<S: AsRef<str>>(
    files: &[(S, S)],
    directory: &Path,
    host: &LocalHost,
) -> Result<(), CliError> {
    let directory = absolute(directory)?;
    create(&directory, host)?;
    for (path, text) in files.iter().map(|(path, text)| (path.as_ref(), text.as_ref())) {
        for (at, _) in path.match_indices('/') {
            create(&directory.join(&path[..at]), host)?;
        }
        host.write(&directory.join(path), &NewFile::new(text.as_bytes(), FILE))?;
    }
    Ok(())
}

fn create(directory: &Path, host: &LocalHost) -> Result<(), CliError> {
    match host.look(directory)? {
        Some(_) => Ok(()),
        None => host.make_directory(directory, &DIRECTORY).map_err(|error| {
            let parent_missing = error.kind() == ErrorKind::ParentMissing;
            let error = CliError::from(error);
            if parent_missing { error.hint("create its parent directory first") } else { error }
        }),
    }
}
