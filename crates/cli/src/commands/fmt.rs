//! `uphold fmt`.

use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};

use uphold::LocalHost;
use uphold::format::format;
use uphold::model::{Diagnostics, Sources};
use uphold_wire::{Format, Formatted};

use crate::diagnostics;
use crate::error::CliError;
use crate::exit::Exit;
use crate::hcl_files;
use crate::paint::{Paint, clean};
use crate::report::show_error;
use crate::session::Session;
use crate::unified_diff::UnifiedDiff;

const EXAMPLES: &str = "\
Examples:
  uphold fmt                          the *.hcl files here
  uphold fmt -r --check --diff        for CI: all of them, also below; nothing is written
  uphold fmt - < main.hcl             for editors: from standard input to standard output";

/// Lay out configuration in the common style
///
/// Files are rewritten in place, and the names of those that changed are printed. Only white space
/// changes; comments stay where they are. A file that cannot be told apart into words is left as it
/// is, and the reason is told.
///
/// With --json, one object is printed: `changed`, the names of these files, and `written`, whether they were rewritten.
///
/// Exit code 1 says that a file could not be formatted or, with --check, that one is not.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FmtArgs {
    /// Files, or directories with *.hcl files; - for standard input; the current directory unless set
    files: Vec<PathBuf>,
    /// Write nothing, and list what is not formatted
    #[arg(long)]
    check: bool,
    /// Show what changes, as a diff that `patch` takes
    #[arg(long)]
    diff: bool,
    /// Look for *.hcl files in subdirectories, too
    #[arg(long, short)]
    recursive: bool,
    /// Names of the files that changed, for --json.
    #[arg(skip)]
    changed: RefCell<Vec<String>>,
}

/// What became of one text.
enum Outcome {
    Same,
    Changed(String),
    /// It was told why.
    Failed,
}

/// Runs it.
pub(crate) fn run(args: &FmtArgs, session: &mut Session) -> Result<Exit, CliError> {
    let host = LocalHost::new();
    let here = [PathBuf::from(".")];
    let named = if args.files.is_empty() { &here[..] } else { &args.files };
    args.check_json(named, session)?;
    let mut sound = true;
    for path in named {
        sound &= match path == Path::new("-") {
            true => args.stream(session),
            false => args.path(path, &host, session),
        }
        .unwrap_or_else(|error| {
            show_error(&error, &mut session.ui);
            false
        });
    }
    if session.flags.json {
        let changed = std::mem::take(&mut *args.changed.borrow_mut());
        session.ui.json_line(&Formatted {
            changed,
            format_version: Formatted::VERSION,
            written: !args.check,
        });
    }
    Ok(if sound { Exit::Success } else { Exit::Failure })
}

impl FmtArgs {
    /// JSON lists names of files: it has no place for a text or a diff.
    fn check_json(&self, named: &[PathBuf], session: &Session) -> Result<(), CliError> {
        let streams = named.iter().any(|path| path == Path::new("-"));
        match session.flags.json && (self.diff || streams) {
            true => Err(CliError::new("--json cannot be used with --diff or with standard input")),
            false => Ok(()),
        }
    }

    /// A file or a directory; whether all is well with it.
    fn path(&self, path: &Path, host: &LocalHost, session: &mut Session) -> Result<bool, CliError> {
        let mut sound = true;
        for file in hcl_files::find(path, self.recursive, host)? {
            sound &= self.file(&file, host, session).unwrap_or_else(|error| {
                show_error(&error, &mut session.ui);
                false
            });
        }
        Ok(sound)
    }

    fn file(&self, path: &Path, host: &LocalHost, session: &mut Session) -> Result<bool, CliError> {
        let (name, text) = (path.display().to_string(), hcl_files::read(path, host)?);
        match formatted(&name, &text, session) {
            Outcome::Same => Ok(true),
            Outcome::Failed => Ok(false),
            Outcome::Changed(new) => {
                if !self.check {
                    hcl_files::write(path, &new, host)?;
                }
                self.tell(&name, &text, &new, session);
                Ok(!self.check)
            }
        }
    }

    /// Standard input goes to standard output, unless only the difference was asked for.
    fn stream(&self, session: &mut Session) -> Result<bool, CliError> {
        let mut content = Vec::new();
        let unread = |error| CliError::new("cannot read standard input").because(&error);
        std::io::stdin().lock().read_to_end(&mut content).map_err(unread)?;
        let text = hcl_files::utf8("-", content)?;
        let (new, changed) = match formatted("-", &text, session) {
            Outcome::Failed => return Ok(false),
            Outcome::Same => (None, false),
            Outcome::Changed(new) => (Some(new), true),
        };
        let new = new.as_deref().unwrap_or(&text);
        match self.check || self.diff {
            true if changed => self.tell("-", &text, new, session),
            true => {}
            false => session.ui.data(new),
        }
        Ok(!(self.check && changed))
    }

    fn tell(&self, name: &str, old: &str, new: &str, session: &mut Session) {
        let ui = &mut session.ui;
        if session.flags.json {
            self.changed.borrow_mut().push(name.to_owned());
        } else if self.diff {
            let (paint, terminal) = (Paint::new(ui.is_data_coloured()), ui.is_data_terminal());
            ui.data(UnifiedDiff { name, old, new, paint, terminal });
        } else if !session.flags.quiet {
            ui.data(format_args!("{}\n", clean(name)));
        }
    }
}

fn formatted(name: &str, text: &str, session: &mut Session) -> Outcome {
    match format(text) {
        Ok(new) if new == text => Outcome::Same,
        Ok(new) => Outcome::Changed(new),
        Err(unformattable) => {
            let (mut sources, mut problems) = (Sources::default(), Diagnostics::default());
            problems.push(unformattable.diagnostic(sources.add(name, text)));
            diagnostics::show_each(&problems, &sources, true, &mut session.ui);
            Outcome::Failed
        }
    }
}
