//! Columns: the `=` of neighbouring lines below one another, and the comments at their ends.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::line::Line;
use crate::token::Token;

/// A cell that begins further to the right is not aligned, and ends the group. Nobody sees such columns, and with
/// one endless line every other line of its group would be filled with spaces.
const WIDEST: usize = 256;

/// Aligns `=` first, since that moves the comments.
pub(crate) fn align(text: &str, tokens: &mut [Token], lines: &[Option<Line>]) {
    column(text, tokens, lines, |line| line.has_assign().then_some(line.assign));
    column(text, tokens, lines, |line| line.has_comment().then_some(line.comment));
}

/// Aligns one cell in each group of lines that have it; `cell` gives its first token.
fn column(text: &str, tokens: &mut [Token], lines: &[Option<Line>], cell: impl Fn(Line) -> Option<usize>) {
    // Of each line in the group: the token to move, and the width before it.
    let mut group: Vec<(usize, usize)> = Vec::new();
    for &line in lines {
        let place = line.and_then(|line| Some((line.start, cell(line)?)));
        let place = place.and_then(|(start, cell)| Some((cell, width(text, tokens, start..cell)?)));
        match place {
            Some(place) => group.push(place),
            None => close(tokens, &mut group),
        }
    }
    close(tokens, &mut group);
}

/// Moves the cells of a group behind the widest of what is before them.
fn close(tokens: &mut [Token], group: &mut Vec<(usize, usize)>) {
    let widest = group.iter().map(|&(_, width)| width).max().unwrap_or(0);
    for (cell, width) in group.drain(..) {
        tokens[cell].spaces = widest - width + 1;
    }
}

/// How many columns the tokens take, the spaces before them included; nothing if that is more than [`WIDEST`] or
/// more than one line.
fn width(text: &str, tokens: &[Token], range: Range<usize>) -> Option<usize> {
    let mut sum = 0;
    for token in &tokens[range] {
        sum += token.spaces + columns(&text[token.range()])?;
    }
    (sum <= WIDEST).then_some(sum)
}

/// Characters that are seen, whether they are narrow or wide, as the rest of the ecosystem counts them.
fn columns(text: &str) -> Option<usize> {
    if text.contains('\n') {
        None
    } else if text.is_ascii() {
        Some(text.len())
    } else {
        Some(text.chars().filter(|c| c.width() != Some(0)).count())
    }
}
