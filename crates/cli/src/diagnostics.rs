//! Problems of a configuration, as people read them.

use uphold::model::{Diagnostic, Diagnostics, Severity, Sources};
use uphold::{Lines, render, sorted};

use crate::paint::Paint;
use crate::ui::Ui;

/// Shows problems, all at once, in the order of the files, and how many there are; warnings only if
/// asked for.
pub(crate) fn show(diagnostics: &Diagnostics, sources: &Sources, warnings: bool, ui: &mut Ui) {
    show_each(diagnostics, sources, warnings, ui);
    if diagnostics.has_errors() {
        let paint = Paint::new(ui.is_talk_coloured());
        ui.talk(format_args!("{}: {}\n", paint.error("error"), tally(diagnostics)));
    }
}

/// The same without the count.
pub(crate) fn show_each(diagnostics: &Diagnostics, sources: &Sources, warnings: bool, ui: &mut Ui) {
    let mut lines = Lines::new(sources);
    let worth = |diagnostic: &&Diagnostic| warnings || diagnostic.severity() == Severity::Error;
    for diagnostic in sorted(diagnostics).into_iter().filter(worth) {
        ui.talk(format_args!("{}\n\n", render(diagnostic, &mut lines, ui.is_talk_coloured())));
    }
}

/// `3 errors, 1 warning; nothing was touched`.
pub(crate) fn tally(diagnostics: &Diagnostics) -> String {
    let warnings = diagnostics.iter().filter(|d| d.severity() == Severity::Warning).count();
    let errors = diagnostics.iter().count() - warnings;
    let warnings = if warnings == 0 { String::new() } else { format!(", {}", count(warnings, "warning")) };
    format!("{}{warnings}; nothing was touched", count(errors, "error"))
}

/// `1 error`, `2 errors`.
pub(crate) fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use uphold::model::Code;

    use super::*;

    #[test]
    fn problems_are_counted() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::new(Code::UnknownKind, ""));
        diagnostics.push(Diagnostic::new(Code::DuplicateResource, ""));
        diagnostics.push(Diagnostic::new(Code::UnusedLocal, ""));
        assert_eq!(tally(&diagnostics), "2 errors, 1 warning; nothing was touched");
    }
}
