//! Indentation: two spaces for each line that opened more brackets than it closed.

use crate::line::Line;
use crate::token::Token;

/// Spaces of one level.
const STEP: usize = 2;

/// Levels after which lines move no further to the right. The reader refuses far less; without an end, nothing
/// but brackets would be laid out with the square of their number in spaces.
const DEEPEST: usize = 100;

/// Moves every line to its column. A line that closes brackets of earlier lines stands where they were opened.
pub(crate) fn indent(tokens: &mut [Token], lines: &[Option<Line>]) {
    // How many brackets each line opened that are open still.
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

/// Takes `brackets` from the innermost levels, and removes those of which nothing is left.
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
