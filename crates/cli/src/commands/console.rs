//! `uphold console`.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use uphold::model::Value;
use uphold::{Configuration, ErrorKind};
use uphold_wire::ConsoleValue;

use crate::diagnostics::{self, count};
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::literal::Literal;
use crate::page::terminal_width;
use crate::paint::Paint;
use crate::prompt::Prompt;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold console                                  asks for expressions, one a line
  uphold console -e host.os.family                one value, and nothing else
  uphold console site.hcl -p port=80 -e local.url
  echo 'upper(\"a\")' | uphold console --json";

const HELP: &str = "\
An expression is evaluated as in a configuration: 1 + 2, upper(\"a\"), host.os, param.x, local.x
What resources export is known after apply. `uphold explain --functions` lists all functions.
exit, or Ctrl-D, ends.
";

/// Evaluate expressions against the params, locals, modules and facts of a configuration
///
/// Expressions come from -e, or from standard input, one a line; on a terminal, an open bracket goes on
/// in the next line. Values are printed as HCL, one a line unless a terminal shows them. Secrets are
/// hidden. A configuration with mistakes is told, and what they leave can be evaluated.
///
/// With --json, each value is an object in a line of its own: `value`, and beside it `unknown` and `sensitive`,
/// which are true (for the whole, or where they mark a member) where null stands for such a value.
///
/// Nothing needs to be configured: without a *.hcl file here there are functions and facts.
///
/// Exit code 1 says that an expression could not be evaluated.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConsoleArgs {
    /// Against what.
    #[command(flatten)]
    input: Input,
    /// Evaluate this, and end; may be given several times
    #[arg(long, short, value_name = "EXPR", allow_hyphen_values = true)]
    expression: Vec<String>,
}

/// Runs it.
pub(crate) fn run(args: &ConsoleArgs, session: &mut Session) -> Result<Exit, CliError> {
    let reads_input = args.input.files.iter().any(|file| file == Path::new("-"));
    if reads_input && args.expression.is_empty() {
        let message = "standard input cannot hold both the configuration and the expressions";
        return Err(CliError::new(message).hint("give the expressions with -e"));
    }
    let mut evaluation = Evaluation { configuration: read(args, session)?, sound: true };
    evaluation.warn(session);
    if !args.expression.is_empty() {
        args.expression.iter().for_each(|text| evaluation.evaluate(text, session));
    } else if std::io::stdin().is_terminal() {
        evaluation.converse(session)?;
        return Ok(Exit::Success);
    } else {
        evaluation.lines(session)?;
    }
    Ok(if evaluation.sound { Exit::Success } else { Exit::Failure })
}

/// Without a file, and none in the current directory, there are functions and facts.
fn read(args: &ConsoleArgs, session: &Session) -> Result<Configuration, CliError> {
    let reader = args.input.reader(&session.engine()?);
    if args.input.demo || !args.input.files.is_empty() {
        return args.input.read(reader);
    }
    match reader.clone().read(["."]) {
        Err(error) if error.kind() == ErrorKind::Missing => Ok(reader.from_texts::<&str, &str>([])?),
        read => Ok(read?),
    }
}

struct Evaluation {
    configuration: Configuration,
    /// Whether all expressions had a value.
    sound: bool,
}

impl Evaluation {
    /// Tells what is wrong with the configuration.
    fn warn(&self, session: &mut Session) {
        let problems = self.configuration.diagnostics();
        diagnostics::show_each(problems, self.configuration.sources(), false, &mut session.ui);
        let errors =
            problems.iter().filter(|problem| problem.severity() == uphold::model::Severity::Error).count();
        if errors > 0 {
            let paint = Paint::new(session.ui.is_talk_coloured());
            let words =
                format!("the configuration has {}; what they spoil has no value", count(errors, "error"));
            session.ui.talk(format_args!("{}: {words}\n", paint.changed("warning")));
        }
    }

    fn evaluate(&mut self, text: &str, session: &mut Session) {
        match self.configuration.evaluate(text) {
            Ok(value) => show(&value, session),
            Err(problems) => {
                self.sound = false;
                diagnostics::show_each(&problems, self.configuration.sources(), true, &mut session.ui);
            }
        }
    }

    /// One expression a line.
    fn lines(&mut self, session: &mut Session) -> Result<(), CliError> {
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| CliError::new("cannot read standard input").because(&error))?;
            if is_expression(&line) {
                self.evaluate(&line, session);
            }
        }
        Ok(())
    }

    /// Question and answer.
    fn converse(&mut self, session: &mut Session) -> Result<(), CliError> {
        if !session.flags.quiet {
            session.ui.talk("An expression a line; help tells more, exit ends.\n");
        }
        let mut prompt = Prompt::new(std::io::stdin().lock());
        while let Some(text) = prompt.ask(&mut session.ui)? {
            match text.trim() {
                "exit" | "quit" => break,
                "help" => session.ui.talk(HELP),
                _ if is_expression(&text) => self.evaluate(text.trim_end(), session),
                _ => {}
            }
            session.ui.flush();
        }
        Ok(())
    }
}

/// Whether a line says anything.
fn is_expression(line: &str) -> bool {
    let line = line.trim_start();
    !(line.is_empty() || line.starts_with('#') || line.starts_with("//"))
}

fn show(value: &Value, session: &mut Session) {
    if session.flags.json {
        session.ui.json_line(&ConsoleValue::from(value));
    } else if session.ui.is_data_terminal() {
        session.ui.data(format_args!("{}\n", Literal::wrapped(value, terminal_width())));
    } else {
        session.ui.data(format_args!("{}\n", Literal::line(value)));
    }
}
