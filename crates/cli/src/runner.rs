//! The `uphold` command as a value.

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};
use uphold::Gauge;
use uphold::resource::{KindError, Registry, Resource};

use crate::args::Arguments;
use crate::report::show_error;
use crate::{CliError, Exit, Session, Ui};

use super::signals::Signals;

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
        if let Err(error) = start() {
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
    add_suggestion(&mut answer, words);
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

// Suggestions for commands and flags that users know from Terraform, Ansible, Chef, Puppet or Salt.

const PLAN: &str = "`uphold plan` shows what apply would change, and changes nothing";
const APPLY: &str = "`uphold apply` changes the machine; `uphold plan` shows the changes first";
const NOT_ASKED: &str = "leave it out: `uphold apply` asks only with --ask";
const PARAM: &str = "set params with --param NAME=VALUE";
const REMOVE: &str =
    "set `action = \"remove\"` in the blocks of the resources to remove, then `uphold apply`";

const COMMANDS: &[(&[&str], &str)] = &[
    (&["converge", "run", "deploy", "up", "provision", "play"], APPLY),
    (&["preview", "diff", "check", "dry-run", "noop", "why-run"], PLAN),
    (&["refresh"], "every plan reads the machine; `uphold apply --audit` reports what differs"),
    (
        &["import"],
        "nothing has to be imported: declare the resource, and `uphold plan` compares it with the machine; \
         `uphold read KIND NAME` shows its current state",
    ),
    (
        &["state"],
        "there is no state file: `uphold read KIND NAME` shows a resource, `uphold status` a running watch",
    ),
    (&["destroy", "remove", "rm"], REMOVE),
    (&["output"], "`uphold plan` and `uphold apply` print outputs; `uphold console -e EXPR` prints a value"),
    (&["agent", "daemon", "serve"], "`uphold watch` applies the configuration and repairs drift"),
    (&["lint", "syntax-check"], "`uphold validate` checks the configuration"),
    (&["doc", "docs", "man"], "`uphold explain NAME` shows documentation"),
    (&["repl", "eval"], "`uphold console` evaluates expressions"),
    (&["setup", "ohai", "facter", "grains"], "`uphold facts` shows facts about the machine"),
];

const FLAGS: &[(&[&str], &str)] = &[
    (&["--dry-run", "--check", "--noop", "--why-run", "-dry-run", "-check"], PLAN),
    (&["--diff", "-D"], "`uphold plan` shows every difference; -v shows them whole"),
    (&["-y", "--yes", "--assume-yes", "-auto-approve", "--auto-approve"], NOT_ASKED),
    (&["-var", "--var", "--extra-vars", "--extra-var", "-e", "--set"], PARAM),
    (&["-var-file", "--var-file"], "read params from a file with --params FILE"),
    (&["-target", "--tags", "-t"], "select resources with --target ADDRESS"),
    (&["-out", "-o", "--output"], "save a plan with `uphold plan --out FILE`"),
    (&["-json"], "write --json"),
    (&["-destroy", "--destroy"], REMOVE),
    (&["-parallelism", "--parallelism", "--forks", "-f"], "limit parallel work with --jobs N"),
    (&["--become", "-b", "--sudo", "-K"], "run uphold as root"),
    (
        &["-i", "--inventory", "--limit", "-l"],
        "uphold manages the machine on which it runs; there is no inventory",
    ),
    (&["-refresh-only", "--refresh-only"], "`uphold apply --audit` reports what differs"),
];

/// Replaces clap's guess by a suggestion if a word of the command line belongs to another tool.
pub(crate) fn add_suggestion(error: &mut clap::Error, mut words: impl Iterator<Item = String>) {
    let found = match error.kind() {
        ErrorKind::InvalidSubcommand => match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(name)) => find(COMMANDS, name),
            _ => None,
        },
        // The raw words: clap reads `-var` as the short flags -v, -a and -r.
        ErrorKind::UnknownArgument => words.find_map(|word| {
            let flag = word.split('=').next().unwrap_or_default();
            let suggestion = find(FLAGS, flag)?;
            error.insert(ContextKind::InvalidArg, ContextValue::String(flag.to_owned()));
            Some(suggestion)
        }),
        _ => None,
    };
    if let Some(suggestion) = found {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        // It contains the flag of clap's guess.
        error.remove(ContextKind::Usage);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![suggestion.into()]));
    }
}

fn find(table: &[(&[&str], &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(words, _)| words.contains(&word)).map(|(_, suggestion)| *suggestion)
}

// Log lines on standard error, enabled by `UPHOLD_LOG`.

/// A level, or a comma-separated list of `CRATE=LEVEL`.
const VARIABLE: &str = "UPHOLD_LOG";

/// Starts logging if the variable is set.
#[expect(clippy::disallowed_methods, reason = "only the command reads the environment, no library does")]
pub(crate) fn start() -> Result<(), CliError> {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else { return Ok(()) };
    let value = value.to_string_lossy();
    let targets: Targets = value.parse().map_err(|_| {
        CliError::new(format!("{VARIABLE}={value} is invalid")).hint(
            "set it to error, warn, info, debug or trace, or to a list such as uphold_engine=debug,info",
        )
    })?;
    let lines = fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    // A program that embeds the command may have its own subscriber.
    let _ = registry().with(targets).with(lines).try_init();
    Ok(())
}

/// Whether log lines go to a terminal, where they would disturb the terminal view.
#[cfg_attr(not(feature = "dashboard"), expect(dead_code, reason = "only the terminal view needs it"))]
pub(crate) fn is_on_terminal() -> bool {
    LevelFilter::current() != LevelFilter::OFF && std::io::stderr().is_terminal()
}
