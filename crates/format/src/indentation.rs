//! Indentation: two spaces for each line that opened more brackets than it closed.

use crate::line::Line;
use crate::token::Token;

/// The spaces of one level.
const STEP: usize = 2;

/// The maximum indentation in levels. The parser rejects far less; without a limit, a text of brackets would need a
/// number of spaces quadratic in its length.
const DEEPEST: usize = 100;

/// Indents every line. A line that closes brackets of earlier lines is aligned with their lines.
pub(crate) fn indent(tokens: &mut [Token], lines: &[Option<Line>]) {
    // The number of brackets that each line opened and that are still open.
    let mut levels: Vec<u64> = Vec::new();
    for line in lines.iter().flatten() {
        let balance: i64 = tokens[line.start..line.end].iter().map(|token| token.kind.deepens()).sum();
        if balance < 0 {
            close(&mut levels, balance.unsigned_abs());
        }
        tokens[line.start].spaces = STEP * levels.len().min(DEEPEST);
        if balance > 0 {
            levels.push(balance.unsigned_abs());
        }
    }
}

/// Closes `brackets` of the innermost levels, and removes levels without open brackets.
fn close(levels: &mut Vec<u64>, mut brackets: u64) {
    while let Some(level) = levels.last_mut() {
        let closed = brackets.min(*level);
        *level -= closed;
        brackets -= closed;
        if *level > 0 {
            return;
        }
        levels.pop();
        if brackets == 0 {
            return;
        }
    }
}
