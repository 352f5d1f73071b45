//! Input from a person at a terminal: a confirmation, or expressions for the console.

use std::io::{BufRead, IsTerminal};

use uphold::format::{Cause, format};

use crate::{CliError, Session, Ui};

/// Fails if standard input is not a terminal, because a question would have no answer.
pub(crate) fn expect_terminal() -> Result<(), CliError> {
    if std::io::stdin().is_terminal() {
        return Ok(());
    }
    let error = CliError::new("cannot ask: standard input is not a terminal");
    Err(error.hint("run `uphold plan`, then apply without --ask"))
}

/// Asks for confirmation. Every answer but `y` and `yes` means no.
pub(crate) fn confirm(question: &str, session: &mut Session) -> Result<bool, CliError> {
    let question = session.ui.talk_paint().strong(question);
    session.ui.talk(format_args!("\n{question} [y/N] "));
    let mut answer = String::new();
    let read = session.signals.while_waiting(|| std::io::stdin().lock().read_line(&mut answer));
    let length = read.map_err(|error| CliError::new("cannot read the answer").because(&error))?;
    if length == 0 {
        session.ui.talk("\n");
    }
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// The next expression for the console; none at the end of the input. An expression continues while a bracket, a heredoc
/// or a comment is open; an empty line ends it, except in a heredoc.
pub(crate) fn next_expression(input: &mut impl BufRead, ui: &mut Ui) -> Result<Option<String>, CliError> {
    let paint = ui.talk_paint();
    let mut text = String::new();
    ui.talk(paint.hint("> "));
    loop {
        let start = text.len();
        let unread = |error| CliError::new("cannot read standard input").because(&error);
        if input.read_line(&mut text).map_err(unread)? == 0 {
            ui.talk("\n");
            return Ok(Some(text).filter(|text| !text.is_empty()));
        }
        let is_empty = text[start..].trim().is_empty();
        match unclosed(&text) {
            Some(Cause::UnclosedHeredoc) => {}
            Some(_) if !is_empty => {}
            _ => return Ok(Some(text)),
        }
        ui.talk(paint.hint("… "));
    }
}

/// The construct that is open at the end of `text` and may be closed on a later line.
fn unclosed(text: &str) -> Option<Cause> {
    let cause = format(text).err()?.cause;
    let continues = matches!(
        cause,
        Cause::UnclosedBracket
            | Cause::UnclosedInterpolation
            | Cause::UnclosedHeredoc
            | Cause::UnclosedComment
    );
    continues.then_some(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn continues_while_a_bracket_is_open() {
        let check = |input: &str, expected: &[&str]| {
            let mut bytes = input.as_bytes();
            let mut ui = Ui::new(clap::ColorChoice::Never);
            let expressions =
                std::iter::from_fn(|| next_expression(&mut bytes, &mut ui).expect("a text can be read"));
            assert_eq!(expressions.collect::<Vec<_>>(), expected, "{input}");
        };
        check("1\n2", &["1\n", "2"]);
        check("[\n1,\n2]\n3\n", &["[\n1,\n2]\n", "3\n"]);
        check("{\n\n1\n", &["{\n\n", "1\n"]);
        check("<<END\na\n\nb\nEND\n1\n", &["<<END\na\n\nb\nEND\n", "1\n"]);
        check("\"a\n1\n", &["\"a\n", "1\n"]);
        check("\n]\n", &["\n", "]\n"]);
        check("[", &["["]);
    }
}
