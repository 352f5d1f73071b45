//! The command line as a value.

use std::process::ExitCode;

use clap::Parser;
use uphold::Gauge;
use uphold::resource::{KindError, Registry, Resource};

use crate::args::{Arguments, Command};
use crate::commands::{
    apply, completions, console, explain, facts, fmt, graph, init, lsp, plan, read, schema, show, status,
    test, validate, watch,
};
use crate::error::CliError;
use crate::exit::Exit;
use crate::logging;
use crate::report::show_error;
use crate::session::Session;
use crate::signals::Signals;
use crate::ui::Ui;

/// The `uphold` command with the kinds that ship, and with those that you add.
///
/// ```no_run
/// use uphold::resource::KindError;
/// # use uphold::builtin::Log as GitCheckout;
///
/// fn main() -> Result<std::process::ExitCode, KindError> {
///     Ok(uphold_cli::Runner::new().resource::<GitCheckout>()?.run())
/// }
/// ```
pub struct Runner {
    kinds: Registry,
}

impl Runner {
    /// With the kinds that ship.
    #[expect(clippy::new_without_default, reason = "a command line is no default value")]
    pub fn new() -> Self {
        Self { kinds: uphold::kinds() }
    }

    /// With one more kind.
    ///
    /// # Errors
    /// If its name is taken, or a default breaks the kind's own rules.
    pub fn resource<R: Resource>(mut self) -> Result<Self, KindError> {
        self.kinds.add::<R>()?;
        Ok(self)
    }

    /// Does what the command line of this process says.
    pub fn run(self) -> ExitCode {
        uphold::keep_inherited_files_from_commands();
        uphold::keep_memory_private();
        match Arguments::try_parse() {
            Ok(arguments) => self.command(arguments).into(),
            Err(answer) => usage(&answer).into(),
        }
    }

    fn command(self, arguments: Arguments) -> Exit {
        let mut ui = Ui::new(arguments.flags.color);
        if let Err(error) = logging::start() {
            show_error(&error, &mut ui);
            return Exit::Failure;
        }
        let mut session = Session {
            flags: arguments.flags,
            kinds: self.kinds,
            runs_programs: arguments.command.runs_programs(),
            ui,
            signals: Signals::default(),
            gauge: Gauge::default(),
        };
        let exit = dispatch(&arguments.command, &mut session).unwrap_or_else(|error| {
            show_error(&error, &mut session.ui);
            Exit::Failure
        });
        match session.ui.close() {
            Ok(()) => exit,
            Err(error) => {
                show_error(
                    &CliError::new("cannot write to standard output").because(&error),
                    &mut session.ui,
                );
                // What cannot be written to standard error, either, is lost.
                let _ = session.ui.close();
                Exit::Failure
            }
        }
    }
}

fn dispatch(command: &Command, session: &mut Session) -> Result<Exit, CliError> {
    match command {
        Command::Init(args) => init::run(args, session),
        Command::Plan(args) => plan::run(args, session),
        Command::Apply(args) => apply::run(args, session),
        Command::Watch(args) => watch::run(args, session),
        Command::Status(args) => status::run(args, session),
        Command::Show(args) => show::run(args, session),
        Command::Validate(args) => validate::run(args, session),
        Command::Test(args) => test::run(args, session),
        Command::Fmt(args) => fmt::run(args, session),
        Command::Console(args) => console::run(args, session),
        Command::Graph(args) => graph::run(args, session),
        Command::Read(args) => read::run(args, session),
        Command::Facts(args) => facts::run(args, session),
        Command::Explain(args) => explain::run(args, session),
        Command::Schema(args) => schema::run(args, session),
        Command::Lsp(args) => lsp::run(args, session),
        Command::Completions(args) => completions::run(args, session),
    }
}

/// Help and version are answers; anything else is an error of the command line. clap would end
/// with 2 there, which is a plan's "changes pending".
fn usage(answer: &clap::Error) -> Exit {
    let mut ui = Ui::new(clap::ColorChoice::Auto);
    let to_stderr = answer.use_stderr();
    let coloured = if to_stderr { ui.is_talk_coloured() } else { ui.is_data_coloured() };
    let text = answer.render();
    let text = if coloured { text.ansi().to_string() } else { text.to_string() };
    if to_stderr {
        ui.talk(format_args!("{}\n", text.trim_end()));
        return Exit::Failure;
    }
    ui.data(format_args!("{}\n", text.trim_end()));
    if ui.close().is_ok() { Exit::Success } else { Exit::Failure }
}
