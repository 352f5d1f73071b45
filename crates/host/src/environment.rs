//! What the one who started Uphold left for it.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Result};

/// A variable of the environment; none if it is not set, or not UTF-8.
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// All variables whose names begin with `prefix`, as whole names and values, sorted.
///
/// # Errors
/// One of them is not UTF-8: leaving it out would silently do something else than was asked for.
pub fn environment_with_prefix(prefix: &str) -> Result<Vec<(String, String)>> {
    let all = std::env::vars_os();
    let found = all.filter(|(name, _)| name.as_bytes().starts_with(prefix.as_bytes()));
    let read = found.map(|(name, value)| match (name.into_string(), value.into_string()) {
        (Ok(name), Ok(value)) => Ok((name, value)),
        (Ok(name), Err(_)) => Err(not_utf8(&name)),
        (Err(name), _) => Err(not_utf8(&name.to_string_lossy())),
    });
    let mut variables = read.collect::<Result<Vec<_>>>()?;
    variables.sort_unstable();
    Ok(variables)
}

fn not_utf8(name: &str) -> Error {
    let what = format!("the environment variable {name} is not UTF-8");
    Error::new(ErrorKind::Invalid, what).hint("set it to text in UTF-8, or unset it")
}

/// The directory that Uphold was started in, which relative paths of the command line are below.
///
/// # Errors
/// It was removed, or is not reachable.
pub fn current_directory() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| Error::io("find the current directory", Path::new("."), error))
}
