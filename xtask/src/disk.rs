//! File access whose errors name the path.

use std::fs;
use std::path::Path;

use crate::failure::{Failure, Result};

pub(crate) fn read(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(|error| failed("read", path, &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes `text`, making the parent directories first.
pub(crate) fn write(path: &Path, text: &str) -> Result {
    if let Some(parent) = path.parent() {
        make_directory(parent)?;
    }
    fs::write(path, text).map_err(|error| failed("write", path, &error))
}

pub(crate) fn make_directory(path: &Path) -> Result {
    fs::create_dir_all(path).map_err(|error| failed("make the directory", path, &error))
}

pub(crate) fn remove_file(path: &Path) -> Result {
    fs::remove_file(path).map_err(|error| failed("remove", path, &error))
}

/// Removes a whole tree; a missing one is no error.
pub(crate) fn remove_tree(path: &Path) -> Result {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed("remove", path, &error)),
        _ => Ok(()),
    }
}

/// The sorted names in a directory that end in `suffix`; empty if the directory does not exist.
pub(crate) fn names(directory: &Path, suffix: &str) -> Result<Vec<String>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| failed("list", directory, &error))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| failed("list", directory, &error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(suffix) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The sorted paths of all files below a directory, relative to it; empty if it does not exist.
pub(crate) fn tree(directory: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for name in names(&directory.join(&folder), "")? {
            let path = format!("{folder}{name}");
            if directory.join(&path).is_dir() {
                folders.push(path + "/");
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn failed(attempt: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot {attempt} `{}`: {error}", path.display()))
}
