//! `uphold console`.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use uphold::model::{Severity, Value};
use uphold::{Configuration, ErrorKind};
use uphold_wire::ConsoleValue;

use crate::diagnostics::{self, count};
use crate::literal;
use crate::page::terminal_width;
use crate::prompt::next_expression;
use crate::{CliError, Exit, Input, Session};

const EXAMPLES: &str = "\
Examples:
  uphold console                                  read expressions from the terminal
  uphold console -e host.os.family                print one value
  uphold console site.hcl -p port=80 -e local.url
  echo 'upper(\"a\")' | uphold console --json";

const HELP: &str = "\
Enter an expression as in a configuration: 1 + 2, upper(\"a\"), host.os, param.x, local.x
Values exported by resources are known only after apply. `uphold explain --functions` lists all functions.
exit or Ctrl-D ends the console.
";

/// Evaluate expressions of the configuration language
///
/// Params, locals, modules and facts of the configuration can be used. Without FILES, it is that of the current directory;
/// if there is none, only functions and facts can be used.
///
/// Expressions come from -e or from standard input, one per line. On a terminal, an expression with an open bracket
/// continues on the next line. Values are printed as HCL, each on one line unless standard output is a terminal.
/// Secrets are hidden. Errors in the configuration are reported; expressions that do not use the faulty parts still
/// work.
///
/// With --json, each value is a JSON object on its own line: `value`, and `unknown` and `sensitive`, which mark the
/// values (or members) that are null because they are unknown or secret.
///
/// Exit code 1: an expression could not be evaluated.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConsoleArgs {
    #[command(flatten)]
    input: Input,
    /// Evaluate this expression and exit; can be repeated
    #[arg(long, short, value_name = "EXPR", allow_hyphen_values = true)]
    expression: Vec<String>,
}

pub(crate) fn run(args: &ConsoleArgs, session: &mut Session) -> Result<Exit, CliError> {
    let reads_input = args.input.files.iter().any(|file| file == Path::new("-"));
    if reads_input && args.expression.is_empty() {
        let message = "standard input cannot contain both the configuration and the expressions";
        return Err(CliError::new(message).hint("give the expressions with -e"));
    }
    let mut evaluation = Evaluation { configuration: read(args, session)?, all_valid: true };
    let is_named = args.input.demo || !args.input.files.is_empty();
    evaluation.report_problems(is_named, session);
    if !args.expression.is_empty() {
        args.expression.iter().for_each(|text| evaluation.evaluate(text, session));
    } else if std::io::stdin().is_terminal() {
        evaluation.interactive(session)?;
        return Ok(Exit::Success);
    } else {
        evaluation.lines(session)?;
    }
    Ok(Exit::success_if(evaluation.all_valid))
}

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
    /// Whether every expression could be evaluated.
    all_valid: bool,
}

impl Evaluation {
    /// The errors of a configuration that was not named are only counted: an expression may not need it.
    fn report_problems(&self, is_named: bool, session: &mut Session) {
        let problems = self.configuration.diagnostics();
        let errors = problems.iter().filter(|problem| problem.severity() == Severity::Error).count();
        if errors == 0 {
            return;
        }
        let them = if errors == 1 { "it" } else { "them" };
        let (place, hint) = if is_named {
            diagnostics::show_each(problems, self.configuration.sources(), false, &mut session.ui);
            ("", String::new())
        } else {
            (" in the current directory", format!("; `uphold validate` shows {them}"))
        };
        let label = session.ui.talk_paint().changed("warning");
        let errors = count(errors, "error");
        session.ui.talk(format_args!(
            "{label}: the configuration{place} has {errors}; values that depend on {them} are unknown{hint}\n"
        ));
    }

    fn evaluate(&mut self, text: &str, session: &mut Session) {
        match self.configuration.evaluate(text) {
            Ok(value) => show(&value, session),
            Err(problems) => {
                self.all_valid = false;
                diagnostics::show_each(&problems, self.configuration.sources(), true, &mut session.ui);
            }
        }
    }

    /// Evaluates standard input, one expression per line.
    fn lines(&mut self, session: &mut Session) -> Result<(), CliError> {
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| CliError::new("cannot read standard input").because(&error))?;
            if is_expression(&line) {
                self.evaluate(&line, session);
            }
        }
        Ok(())
    }

    fn interactive(&mut self, session: &mut Session) -> Result<(), CliError> {
        if !session.flags.quiet {
            session.ui.talk("Enter one expression per line; help shows help, exit ends.\n");
        }
        let mut input = std::io::stdin().lock();
        while let Some(text) = next_expression(&mut input, &mut session.ui)? {
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

/// Whether a line is neither empty nor a comment.
fn is_expression(line: &str) -> bool {
    let line = line.trim_start();
    !(line.is_empty() || line.starts_with('#') || line.starts_with("//"))
}

fn show(value: &Value, session: &mut Session) {
    if session.flags.json {
        session.ui.json_line(&ConsoleValue::from(value));
    } else if session.ui.is_data_terminal() {
        session.ui.data(format_args!("{}\n", literal::wrapped(value, terminal_width())));
    } else {
        session.ui.data(format_args!("{}\n", literal::line(value)));
    }
}
