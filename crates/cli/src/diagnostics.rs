//! Diagnostics of a configuration, printed for people.

use uphold::model::{Diagnostic, Diagnostics, Severity, Sources};
use uphold::{Lines, render, sorted};

use crate::Ui;

/// Prints all diagnostics in the order of the files, then their number; warnings only if `warnings` is set.
pub(crate) fn show(diagnostics: &Diagnostics, sources: &Sources, warnings: bool, ui: &mut Ui) {
    show_each(diagnostics, sources, warnings, ui);
    if diagnostics.has_errors() {
        let error = ui.talk_paint().error("error");
        ui.talk(format_args!("{error}: {}\n", tally(diagnostics)));
    }
}

/// Prints all diagnostics without their number.
pub(crate) fn show_each(diagnostics: &Diagnostics, sources: &Sources, warnings: bool, ui: &mut Ui) {
    let mut lines = Lines::new(sources);
    let is_shown = |diagnostic: &&Diagnostic| warnings || diagnostic.severity() == Severity::Error;
    for diagnostic in sorted(diagnostics).into_iter().filter(is_shown) {
        ui.talk(format_args!("{}\n\n", render(diagnostic, &mut lines, ui.talk_paint().is_on())));
    }
}

/// `3 errors, 1 warning; nothing was changed`.
pub(crate) fn tally(diagnostics: &Diagnostics) -> String {
    let warnings = diagnostics.iter().filter(|d| d.severity() == Severity::Warning).count();
    let errors = diagnostics.iter().count() - warnings;
    let warnings = if warnings == 0 { String::new() } else { format!(", {}", count(warnings, "warning")) };
    format!("{}{warnings}; nothing was changed", count(errors, "error"))
}

/// `1 error`, `2 errors`.
pub(crate) fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// `, 2 failed, 1 skipped`: the counts that are not zero.
pub(crate) fn counts<const N: usize>(all: [(usize, &str); N]) -> String {
    let some = all.iter().filter(|(number, _)| *number > 0);
    some.map(|(number, word)| format!(", {number} {word}")).collect()
}

#[cfg(test)]
mod tests {
    use uphold::model::Code;

    use super::*;

    #[test]
    fn counts_diagnostics() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::new(Code::UnknownKind, ""));
        diagnostics.push(Diagnostic::new(Code::DuplicateResource, ""));
        diagnostics.push(Diagnostic::new(Code::UnusedLocal, ""));
        assert_eq!(tally(&diagnostics), "2 errors, 1 warning; nothing was changed");
    }
}
