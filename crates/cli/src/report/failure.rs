//! Errors, warnings and failures of resources, for people.

use uphold::Failure;

use super::property_lines::PropertyLines;
use crate::{CliError, Paint, Ui, clean};

#[derive(Clone, Copy)]
pub(crate) enum Weight {
    Error,
    Warning,
}

/// A failure of a resource or an output, with its causes, its hint and the remaining differences.
pub(crate) fn failure(
    weight: Weight,
    name: &str,
    failure: &Failure,
    at: Option<&str>,
    properties: &PropertyLines,
) -> String {
    let paint = properties.paint;
    let at = at.map(|at| format!("   {}", paint.faint(format_args!("({at})")))).unwrap_or_default();
    let message = format!("{}: {}", clean(name), clean(&failure.message));
    let mut text = format!("{}: {message}{at}\n", word(weight, paint));
    text += &reasons(&failure.causes, failure.hint.as_deref(), paint);
    text + &properties.differences(&failure.differences)
}

pub(crate) fn warning(name: &str, text: &str, paint: Paint) -> String {
    format!("{}: {}: {}\n", word(Weight::Warning, paint), clean(name), indented(text))
}

/// Prints an error that ends the command.
pub(crate) fn show_error(error: &CliError, ui: &mut Ui) {
    let paint = ui.talk_paint();
    let reasons = reasons(&error.causes, error.hint.as_deref(), paint);
    ui.talk(format_args!("{}: {}\n{reasons}", word(Weight::Error, paint), clean(&error.message)));
}

fn word(weight: Weight, paint: Paint) -> String {
    match weight {
        Weight::Error => paint.error("error").to_string(),
        Weight::Warning => paint.changed("warning").to_string(),
    }
}

/// Each cause on its own line, then the hint.
fn reasons(causes: &[String], hint: Option<&str>, paint: Paint) -> String {
    let causes = causes.iter().map(|cause| format!("  because: {}\n", indented(cause)));
    let hint = hint.map(|hint| format!("  {}: {}\n", paint.hint("hint"), indented(hint)));
    causes.chain(hint).collect()
}

/// Indents all lines but the first.
pub(crate) fn indented(text: &str) -> String {
    clean(text).trim_end().replace('\n', "\n    ")
}
