//! `uphold fmt`.

use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};

use uphold::LocalHost;
use uphold::format::format;
use uphold::model::{Diagnostics, Sources};
use uphold_wire::{Format, Formatted};

use crate::diagnostics;
use crate::report::{UnifiedDiff, show_error};
use crate::text_files;
use crate::{CliError, Exit, Session, clean};

const EXAMPLES: &str = "\
Examples:
  uphold fmt                          the *.hcl files of the current directory
  uphold fmt -r --check --diff        for CI: also in subdirectories; write nothing
  uphold fmt - < main.hcl             for editors: from standard input to standard output";

/// Format configuration files
///
/// Files are rewritten in place, and the names of changed files are printed. Only white space changes. A file that
/// cannot be parsed is reported and stays unchanged.
///
/// With --json, one object is printed: `changed`, the names of these files, and `written`, whether they were rewritten.
///
/// Exit code 1: a file cannot be parsed or, with --check, is not formatted.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FmtArgs {
    /// Files, directories with *.hcl files, or - for standard input [default: .]
    files: Vec<PathBuf>,
    /// Write nothing; list files that are not formatted
    #[arg(long)]
    check: bool,
    /// Show the changes as a unified diff
    #[arg(long)]
    diff: bool,
    /// Include *.hcl files in subdirectories
    #[arg(long, short)]
    recursive: bool,
    /// Names of the changed files, for --json.
    #[arg(skip)]
    changed: RefCell<Vec<String>>,
}

pub(crate) fn run(args: &FmtArgs, session: &mut Session) -> Result<Exit, CliError> {
    let host = LocalHost::new();
    let here = [PathBuf::from(".")];
    let named = if args.files.is_empty() { &here[..] } else { &args.files };
    args.check_json(named, session)?;
    let mut success = true;
    for path in named {
        let result =
            if path == Path::new("-") { args.stream(session) } else { args.path(path, &host, session) };
        success &= result.unwrap_or_else(|error| fail(&error, session));
    }
    if session.flags.json {
        let changed = std::mem::take(&mut *args.changed.borrow_mut());
        session.ui.json_line(&Formatted {
            changed,
            format_version: Formatted::VERSION,
            written: !args.check,
        });
    }
    Ok(Exit::success_if(success))
}

impl FmtArgs {
    /// JSON output lists file names, and has no field for formatted text or a diff.
    fn check_json(&self, named: &[PathBuf], session: &Session) -> Result<(), CliError> {
        let streams = named.iter().any(|path| path == Path::new("-"));
        if session.flags.json && (self.diff || streams) {
            return Err(CliError::new("--json cannot be used with --diff or with standard input"));
        }
        Ok(())
    }

    /// Formats a file or a directory; whether that succeeded.
    fn path(&self, path: &Path, host: &LocalHost, session: &mut Session) -> Result<bool, CliError> {
        let mut success = true;
        for file in text_files::find(path, self.recursive, host)? {
            success &= self.file(&file, host, session).unwrap_or_else(|error| fail(&error, session));
        }
        Ok(success)
    }

    fn file(&self, path: &Path, host: &LocalHost, session: &mut Session) -> Result<bool, CliError> {
        let (name, text) = (path.display().to_string(), text_files::read(path, host)?);
        let Some(new) = formatted(&name, &text, session) else { return Ok(false) };
        if new == text {
            return Ok(true);
        }
        if !self.check {
            text_files::write(path, &new, host)?;
        }
        self.show_changed(&name, &text, &new, session);
        Ok(!self.check)
    }

    /// Formats standard input to standard output, or shows only the difference.
    fn stream(&self, session: &mut Session) -> Result<bool, CliError> {
        let mut content = Vec::new();
        let unread = |error| CliError::new("cannot read standard input").because(&error);
        std::io::stdin().lock().read_to_end(&mut content).map_err(unread)?;
        let text = text_files::utf8("-", content)?;
        let Some(new) = formatted("-", &text, session) else { return Ok(false) };
        let is_changed = new != text;
        if !(self.check || self.diff) {
            session.ui.data(new);
        } else if is_changed {
            self.show_changed("-", &text, &new, session);
        }
        Ok(!(self.check && is_changed))
    }

    fn show_changed(&self, name: &str, old: &str, new: &str, session: &mut Session) {
        let ui = &mut session.ui;
        if session.flags.json {
            self.changed.borrow_mut().push(name.to_owned());
        } else if self.diff {
            let (paint, terminal) = (ui.data_paint(), ui.is_data_terminal());
            ui.data(UnifiedDiff { name, old, new, paint, terminal });
        } else if !session.flags.quiet {
            ui.data(format_args!("{}\n", clean(name)));
        }
    }
}

fn fail(error: &CliError, session: &mut Session) -> bool {
    show_error(error, &mut session.ui);
    false
}

/// The formatted text; none if it cannot be parsed, which is reported.
fn formatted(name: &str, text: &str, session: &mut Session) -> Option<String> {
    let report = |unformattable: uphold::format::Unformattable| {
        let (mut sources, mut problems) = (Sources::default(), Diagnostics::default());
        problems.push(unformattable.diagnostic(sources.add(name, text)));
        diagnostics::show_each(&problems, &sources, true, &mut session.ui);
    };
    format(text).map_err(report).ok()
}
