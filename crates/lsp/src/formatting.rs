//! The layout of a file.

use gen_lsp_types::TextEdit;

use crate::sheet::Sheet;

/// The change that lays out a file: nothing if it is laid out already, null if it cannot be.
///
/// What stays the same at both ends is left out, so that the place where the user writes does not move.
pub(crate) fn formatting(sheet: &Sheet) -> Option<Vec<TextEdit>> {
    let formatted = uphold::format::format(&sheet.text).ok()?;
    let (old, new) = (&*sheet.text, formatted.as_str());
    if old == new {
        return Some(Vec::new());
    }
    let start = common(old.bytes().zip(new.bytes()));
    let start = (0..=start).rev().find(|at| old.is_char_boundary(*at)).unwrap_or(0);
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let same = common(old_rest.bytes().rev().zip(new_rest.bytes().rev()));
    let same = (0..=same).rev().find(|same| old_rest.is_char_boundary(old_rest.len() - same)).unwrap_or(0);
    let range = sheet.range(&(start..old.len() - same));
    Some(vec![TextEdit::new(range, new_rest[..new_rest.len() - same].to_owned())])
}

fn common(pairs: impl Iterator<Item = (u8, u8)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}
