//! Where `--report` writes to.

use std::path::Path;

use uphold::LocalHost;
use uphold::resource::{EntryKind, Files};
use uphold_wire::report::Report;

use super::junit;
use crate::error::CliError;
use crate::hcl_files::absolute;

/// Makes sure, before a run, that its report, or whatever else is written at the end, will have a place.
///
/// # Errors
/// If the directory is missing, or something other than a regular file is there. Links are not followed.
pub(crate) fn expect_writable(what: &str, path: &Path) -> Result<(), CliError> {
    let (host, place) = (LocalHost::new(), absolute(path)?);
    let message = |why: &str| CliError::new(format!("cannot write the {what} {}: {why}", path.display()));
    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("hcl")) {
        return Err(message("its name is that of a configuration").hint("let its name end in something else"));
    }
    match host.look(&place)?.map(|entry| entry.kind) {
        None | Some(EntryKind::File) => {}
        Some(other) => return Err(message(&format!("it is {}", other.words())).hint("name a regular file")),
    }
    let parent = place.parent().unwrap_or(&place);
    match host.look(parent)?.map(|entry| entry.kind) {
        // Whether a link on the way may be followed is decided when the file is written.
        Some(EntryKind::Directory | EntryKind::Link(_)) => Ok(()),
        _ => Err(message("its directory does not exist").hint(format!("mkdir -p {}", parent.display()))),
    }
}

/// Writes a report, all at once: JUnit if the name says so, else JSON. It is a new
/// file that only we can read, whatever was there before.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(path: &Path, document: &Report) -> Result<(), CliError> {
    let text = match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xml")) {
        true => junit::text(document),
        false => uphold_wire::document(document),
    };
    let written = LocalHost::new().write_private(&absolute(path)?, text.as_bytes());
    written.map_err(|error| {
        let error = CliError::from(error.while_(format!("cannot write the report {}", path.display())));
        // The hint of a managed file: to declare its directory.
        CliError { hint: None, ..error }
    })
}
