//! Expressions from a terminal.

use std::io::BufRead;

use uphold::format::{Cause, format};

use crate::error::CliError;
use crate::paint::Paint;
use crate::ui::Ui;

/// Asks for one expression after the other.
pub(crate) struct Prompt<R> {
    input: R,
}

impl<R: BufRead> Prompt<R> {
    /// Asks whoever writes `input`.
    pub(crate) fn new(input: R) -> Self {
        Self { input }
    }

    /// The next expression. Lines go on while a bracket, a heredoc or a comment is open; an empty line ends them,
    /// except in a heredoc. None at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn ask(&mut self, ui: &mut Ui) -> Result<Option<String>, CliError> {
        let paint = Paint::new(ui.is_talk_coloured());
        let mut text = String::new();
        ui.talk(paint.hint("> "));
        while let Some(line) = self.line()? {
            let is_empty = line.trim().is_empty();
            text.push_str(&line);
            match open(&text) {
                Some(Cause::UnclosedHeredoc) => {}
                Some(_) if !is_empty => {}
                _ => return Ok(Some(text)),
            }
            ui.talk(paint.hint("… "));
        }
        ui.talk("\n");
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    fn line(&mut self) -> Result<Option<String>, CliError> {
        let mut line = String::new();
        let unread = |error| CliError::new("cannot read standard input").because(&error);
        let length = self.input.read_line(&mut line).map_err(unread)?;
        Ok((length > 0).then_some(line))
    }
}

/// What is open at the end of a text and may be closed on a later line.
fn open(text: &str) -> Option<Cause> {
    let cause = format(text).err()?.cause;
    let goes_on = matches!(
        cause,
        Cause::UnclosedBracket
            | Cause::UnclosedInterpolation
            | Cause::UnclosedHeredoc
            | Cause::UnclosedComment
    );
    goes_on.then_some(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_goes_on_while_something_is_open() {
        let check = |input: &str, expected: &[&str]| {
            let mut prompt = Prompt::new(input.as_bytes());
            let mut ui = Ui::new(clap::ColorChoice::Never);
            let asked = std::iter::from_fn(|| prompt.ask(&mut ui).expect("a text can be read"));
            assert_eq!(asked.collect::<Vec<_>>(), expected, "{input}");
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
