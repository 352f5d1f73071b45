//! Reading what the user wrote.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Result};

/// Reads configuration: a file, or all `*.hcl` files of a directory in the order of their names, or
/// standard input for `-`. Returns the name of each, as the user would write it, and its text.
///
/// Hidden files are left out: editors put their own there. Subdirectories are not entered.
///
/// # Errors
/// What cannot be read; what is not UTF-8, with line and column of the first bad byte; a directory
/// without any `*.hcl` file.
pub fn read_configuration(path: &Path) -> Result<Vec<(String, String)>> {
    if path == Path::new("-") {
        return Ok(vec![(String::from("-"), text(path, read_standard_input()?)?)]);
    }
    let files = if path.is_dir() { files_in(path)? } else { vec![path.to_owned()] };
    files.iter().map(|file| Ok((file.display().to_string(), text(file, read(file)?)?))).collect()
}

fn read_standard_input() -> Result<Vec<u8>> {
    let mut content = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut content);
    read.map_err(|error| Error::failed("cannot read standard input").because(error))?;
    Ok(content)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let error = Error::io("read the configuration", path, error);
        if missing {
            error.hint("give the path of a file, of a directory, or - for standard input")
        } else {
            error
        }
    })
}

fn files_in(directory: &Path) -> Result<Vec<PathBuf>> {
    let fail = |error| Error::io("read the configuration directory", directory, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if is_configuration(path.file_name().unwrap_or_default()) && !path.is_dir() {
            files.push(path);
        }
    }
    if files.is_empty() {
        let what = format!("there is no *.hcl file in {}", directory.display());
        return Err(Error::new(ErrorKind::Missing, what).hint("write one, or give another path"));
    }
    files.sort_unstable();
    Ok(files)
}

fn is_configuration(name: &OsStr) -> bool {
    name.as_bytes().ends_with(b".hcl") && !name.as_bytes().starts_with(b".")
}

fn text(path: &Path, content: Vec<u8>) -> Result<String> {
    String::from_utf8(content).map_err(|error| {
        let (line, column) = position(error.as_bytes(), error.utf8_error().valid_up_to());
        let what = format!("{}:{line}:{column}: this byte is not UTF-8", path.display());
        Error::new(ErrorKind::Invalid, what).hint("save the file as UTF-8").because(error.utf8_error())
    })
}

/// Line and column, both from 1, of the byte at `offset`; what is before it is UTF-8. A column is a
/// character.
fn position(content: &[u8], offset: usize) -> (usize, usize) {
    let before = String::from_utf8_lossy(&content[..offset]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
