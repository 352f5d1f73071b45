//! Reading and writing unit files.

use std::path::Path;

use uphold_resource::{
    Access, Act, EntryKind, Error, ErrorKind, NewFile, Reading, Result, Verify, wrong_type,
};

/// The directory of local unit files.
pub(crate) const UNIT_FILES: &str = "/etc/systemd/system";

/// The text and mode of a unit file; none if it does not exist.
pub(crate) fn read(path: &Path, host: &Reading<'_>) -> Result<Option<(String, u32)>> {
    let Some(entry) = host.files().look(path)? else { return Ok(None) };
    match &entry.kind {
        EntryKind::File => {}
        EntryKind::Link(target) if target == Path::new("/dev/null") => {
            let what = format!("the unit file {} is masked", path.display());
            let hint =
                "unmask the unit first, with `masked = false` in a `service` or with `systemctl unmask`";
            return Err(Error::new(ErrorKind::WrongType, what).hint(hint));
        }
        other => return Err(wrong_type(path, other.words(), "a regular file")),
    }
    let text = host.files().read(path, entry.size)?;
    Ok(Some((String::from_utf8_lossy(&text).into_owned(), entry.mode)))
}

/// Writes a unit file; the directory of a drop-in is created.
pub(crate) fn write(
    path: &Path,
    text: &str,
    mode: u32,
    verify: Option<&Verify<'_>>,
    host: &Act<'_>,
) -> Result<()> {
    let parent = path.parent().filter(|parent| *parent != Path::new(UNIT_FILES));
    if let Some(parent) = parent
        && host.files().look(parent)?.is_none()
    {
        let access = Access { mode: Some(0o755), ..Access::default() };
        host.edits().make_directory(parent, &access)?;
    }
    let access = Access { mode: Some(mode), ..Access::default() };
    let file = NewFile { verify, ..NewFile::new(text.as_bytes(), access) };
    host.edits().write(path, &file)
}
