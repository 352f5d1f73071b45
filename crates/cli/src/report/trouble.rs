//! What went wrong, for people.

use uphold::Failure;

use super::property::Properties;
use crate::error::CliError;
use crate::paint::{Paint, clean};
use crate::ui::Ui;

/// How bad it is.
#[derive(Clone, Copy)]
pub(crate) enum Weight {
    /// It is a failure of the run.
    Error,
    /// It is not, but one wants to know.
    Warning,
}

/// A failure of something, with its causes, advice and what still differs.
pub(crate) fn failure(
    weight: Weight,
    name: &str,
    failure: &Failure,
    at: Option<&str>,
    properties: &Properties,
) -> String {
    let paint = properties.paint;
    let at = at.map(|at| format!("   {}", paint.faint(format_args!("({at})")))).unwrap_or_default();
    let message = format!("{}: {}", clean(name), clean(&failure.message));
    let mut text = format!("{}: {message}{at}\n", word(weight, paint));
    text += &reasons(&failure.causes, failure.hint.as_deref(), paint);
    text + &properties.differences(&failure.differences)
}

/// Something that is no failure yet.
pub(crate) fn warning(name: &str, text: &str, paint: Paint) -> String {
    format!("{}: {}: {}\n", word(Weight::Warning, paint), clean(name), indented(text))
}

/// An error that ended the command.
pub(crate) fn show_error(error: &CliError, ui: &mut Ui) {
    let paint = Paint::new(ui.is_talk_coloured());
    let reasons = reasons(&error.causes, error.hint.as_deref(), paint);
    ui.talk(format_args!("{}: {}\n{reasons}", word(Weight::Error, paint), clean(&error.message)));
}

fn word(weight: Weight, paint: Paint) -> String {
    match weight {
        Weight::Error => paint.error("error").to_string(),
        Weight::Warning => paint.changed("warning").to_string(),
    }
}

/// Each cause on its own line, then the advice.
fn reasons(causes: &[String], hint: Option<&str>, paint: Paint) -> String {
    let causes = causes.iter().map(|cause| format!("  because: {}\n", indented(cause)));
    let hint = hint.map(|hint| format!("  {}: {}\n", paint.hint("hint"), indented(hint)));
    causes.chain(hint).collect()
}

/// Text of several lines, below a heading.
pub(crate) fn indented(text: &str) -> String {
    clean(text).trim_end().replace('\n', "\n    ")
}
