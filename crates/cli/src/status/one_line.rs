//! Text from outside that cannot leave its line.

use crate::paint::clean;

/// The same text on one line, without the power to command the terminal.
pub(super) fn one_line(text: &str) -> String {
    clean(&text.replace(['\n', '\t'], " ")).into_owned()
}
