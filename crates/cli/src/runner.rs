//! The `uphold` command as a value.

use std::process::ExitCode;

use clap::Parser;
use uphold::Gauge;
use uphold::resource::{KindError, Registry, Resource};

use crate::args::Arguments;
use crate::report::show_error;
use crate::signals::Signals;
use crate::{CliError, Exit, Session, Ui, logging, other_tools};

/// The `uphold` command with the built-in kinds and the kinds that you add.
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
    /// The command with the built-in kinds.
    #[expect(clippy::new_without_default, reason = "a command line is no default value")]
    pub fn new() -> Self {
        Self { kinds: uphold::kinds() }
    }

    /// Adds a kind.
    ///
    /// # Errors
    /// If its name is taken, or a default breaks the kind's own rules.
    pub fn resource<R: Resource>(mut self) -> Result<Self, KindError> {
        self.kinds.add::<R>()?;
        Ok(self)
    }

    /// Runs the command line of this process.
    pub fn run(self) -> ExitCode {
        uphold::keep_inherited_files_from_commands();
        uphold::keep_memory_private();
        match Arguments::try_parse() {
            Ok(arguments) => self.command(arguments).into(),
            Err(answer) => usage(answer).into(),
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
        let exit = arguments.command.run(&mut session).unwrap_or_else(|error| {
            show_error(&error, &mut session.ui);
            Exit::Failure
        });
        let Err(error) = session.ui.close() else { return exit };
        show_error(&CliError::new("cannot write to standard output").because(&error), &mut session.ui);
        // A failure to write to standard error cannot be reported anywhere.
        let _ = session.ui.close();
        Exit::Failure
    }
}

/// Prints help, version or an error of the command line. clap would exit with 2 after an error, which is the code for
/// a plan with changes.
fn usage(mut answer: clap::Error) -> Exit {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    other_tools::add_suggestion(&mut answer, words);
    let mut ui = Ui::new(clap::ColorChoice::Auto);
    let to_stderr = answer.use_stderr();
    let coloured = if to_stderr { ui.talk_paint().is_on() } else { ui.data_paint().is_on() };
    let text = answer.render();
    let text = if coloured { text.ansi().to_string() } else { text.to_string() };
    if to_stderr {
        ui.talk(format_args!("{}\n", text.trim_end()));
        return Exit::Failure;
    }
    ui.data(format_args!("{}\n", text.trim_end()));
    Exit::success_if(ui.close().is_ok())
}
