//! Files of the system that are edited line by line.

use std::borrow::Cow;
use std::cell::Cell;
use std::path::Path;

use uphold_resource::{Access, Host, NewFile, Result};

use crate::edited_file::existing;
use crate::line::Document;

/// What a file gets that is created here.
const NEW_FILE: u32 = 0o644;

/// What a directory gets that is created for a file.
const NEW_DIRECTORY: u32 = 0o755;

/// What becomes of a file in which nothing is left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emptied {
    /// It stays, and is empty.
    Kept,
    /// It goes.
    Removed,
}

/// Edits the file at `path`; one that is not there counts as empty, and is created if that is not what
/// is left of it, with the directory that it is in. Nothing is written if nothing differs.
pub(crate) fn lines(
    path: &Path,
    emptied: Emptied,
    host: &dyn Host,
    edit: impl FnOnce(&mut Document<'_>),
) -> Result<()> {
    let old = existing(path, host)?;
    let mut document = Document::new(old.as_deref().unwrap_or_default());
    edit(&mut document);
    let new = document.content();
    match old {
        Some(_) if new.is_empty() && emptied == Emptied::Removed => host.edits().remove_file(path),
        Some(old) if old == new => Ok(()),
        None if new.is_empty() => Ok(()),
        old => write(path, &new, old.is_none(), host),
    }
}

fn write(path: &Path, content: &[u8], is_new: bool, host: &dyn Host) -> Result<()> {
    if is_new {
        make_parent(path, host)?;
    }
    let access = Access { mode: is_new.then_some(NEW_FILE), ..Access::default() };
    host.edits().write(path, &NewFile { content, access, verify: None, replace_other: false })
}

/// Such as `/etc/sysctl.d`, which a small system does not have before somebody needs it.
fn make_parent(path: &Path, host: &dyn Host) -> Result<()> {
    let Some(parent) = path.parent() else { return Ok(()) };
    if host.files().look(parent)?.is_some() {
        return Ok(());
    }
    host.edits().make_directory(parent, &Access { mode: Some(NEW_DIRECTORY), ..Access::default() })
}

/// Puts `text` in the place of the first line for which `is_ours` holds, else at the end. Further lines
/// of that sort go: the last one of them would count.
pub(crate) fn put(document: &mut Document<'_>, text: String, is_ours: impl Fn(&[u8]) -> bool) {
    let is_found = Cell::new(false);
    document.retain(|line| !is_ours(line) || !is_found.replace(true));
    let lines = document.lines().len();
    let found = document.lines().position(is_ours);
    let (start, end) = found.map_or((lines, lines), |at| (at, at + 1));
    document.splice(start, end, std::iter::once(Cow::Owned(text.into_bytes())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_put_in_its_place() {
        let check = |before: &str, after: &str| {
            let mut document = Document::new(before.as_bytes());
            put(&mut document, "a=2".to_owned(), |line| line.starts_with(b"a="));
            assert_eq!(String::from_utf8_lossy(&document.content()), after, "{before:?}");
        };
        check("", "a=2\n");
        check("# x\n", "# x\na=2\n");
        check("a=1\nb=1\na=3\n", "a=2\nb=1\n");
        check("b=1", "b=1\na=2");
        check("b=1\r\n", "b=1\r\na=2\r\n");
    }
}
