//! Changes through an overlay are visible through it, as if they were real; and only through it.

mod dice;
mod differential;
mod edges;
mod ground;
mod growth;
mod passing;
mod script;
mod threads;
mod view;

use std::path::Path;

use uphold_resource::{Access, Act, Error, ErrorKind, NewFile, Result};

fn new_file(content: &str) -> NewFile<'_> {
    NewFile::new(content.as_bytes(), Access::default())
}

fn mode(mode: u32) -> Access {
    Access { mode: Some(mode), ..Access::default() }
}

/// Sets the access of the entry at the path.
fn set_access(host: &Act<'_>, path: &Path, access: &Access) -> Result<()> {
    let missing = || Error::new(ErrorKind::Missing, "it does not exist");
    let seen = host.files().look(path)?.ok_or_else(missing)?;
    host.edits().set_access(path, &seen, access)
}
