//! Asking a person before anything is changed.

use std::io::{BufRead, IsTerminal};

use crate::error::CliError;
use crate::paint::Paint;
use crate::session::Session;

/// Makes sure that a question can be answered.
///
/// # Errors
/// If standard input is not a terminal.
pub(crate) fn expect_terminal() -> Result<(), CliError> {
    if std::io::stdin().is_terminal() {
        return Ok(());
    }
    let error = CliError::new("cannot ask: standard input is not a terminal");
    Err(error.hint("look at `uphold plan`, then apply without --ask"))
}

/// Asks, and says whether the answer was yes. Anything but `y` and `yes` is no.
///
/// # Errors
/// If the answer cannot be read.
pub(crate) fn ask(question: &str, session: &mut Session) -> Result<bool, CliError> {
    let paint = Paint::new(session.ui.is_talk_coloured());
    session.ui.talk(format_args!("\n{} [y/N] ", paint.strong(question)));
    let mut answer = String::new();
    let read = session.signals.while_asking(|| std::io::stdin().lock().read_line(&mut answer));
    let length = read.map_err(|error| CliError::new("cannot read the answer").because(&error))?;
    if length == 0 {
        session.ui.talk("\n");
    }
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
