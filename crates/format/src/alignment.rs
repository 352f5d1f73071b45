//! Alignment of `=` and of trailing comments in adjacent lines.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::token::Line;
use crate::token::Token;

/// The rightmost aligned column: a cell further to the right ends its group. Such columns are off screen, and one very
/// long line would pad every other line of its group.
const WIDEST: usize = 256;

/// Aligns `=` first, since that moves the comments.
pub(crate) fn align(text: &str, tokens: &mut [Token], lines: &[Option<Line>]) {
    column(text, tokens, lines, |line| line.has_assign().then_some(line.assign));
    column(text, tokens, lines, |line| line.has_comment().then_some(line.comment));
}

/// Aligns one cell in each group of lines that have it; `cell` returns its first token.
fn column(text: &str, tokens: &mut [Token], lines: &[Option<Line>], cell: impl Fn(Line) -> Option<usize>) {
    // For each line of the group: the token to move, and the width before it.
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

/// Moves the cells of a group behind the widest line.
fn close(tokens: &mut [Token], group: &mut Vec<(usize, usize)>) {
    let widest = group.iter().map(|&(_, width)| width).max().unwrap_or(0);
    for (cell, width) in group.drain(..) {
        tokens[cell].spaces = widest - width + 1;
    }
}

/// The width of the tokens, including the spaces before them; none if it is more than [`WIDEST`] or more than one line.
fn width(text: &str, tokens: &[Token], range: Range<usize>) -> Option<usize> {
    let mut sum = 0;
    for token in &tokens[range] {
        sum += token.spaces + columns(&text[token.range()])?;
    }
    (sum <= WIDEST).then_some(sum)
}

/// The number of visible characters, narrow or wide, as `hclfmt` counts them.
fn columns(text: &str) -> Option<usize> {
    if text.contains('\n') {
        None
    } else if text.is_ascii() {
        Some(text.len())
    } else {
        Some(text.chars().filter(|c| c.width() != Some(0)).count())
    }
}
