//! `uphold init`.

use std::path::{Path, PathBuf};

use uphold::LocalHost;
use uphold::resource::{EntryKind, Files};

use crate::error::CliError;
use crate::exit::Exit;
use crate::hcl_files::absolute;
use crate::init_template::{PARAMS, init_template};
use crate::paint::clean;
use crate::session::Session;
use crate::text_tree::TextTree;

const EXAMPLES: &str = "\
Examples:
  uphold init site && cd site && uphold plan
  uphold init && mkdir machine && uphold apply --root machine";

/// Write a small example to begin with
///
/// It shows params, locals, a loop, a module, an output and tests, and holds a few files in /tmp/uphold-example.
/// Nothing is overwritten: if something is in the way, it is named, and nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// Where to; made if it is missing; the current directory unless set
    #[arg(value_name = "DIR", default_value = ".", hide_default_value = true)]
    directory: PathBuf,
}

/// Runs it.
pub(crate) fn run(args: &InitArgs, session: &mut Session) -> Result<Exit, CliError> {
    let (host, tree) = (LocalHost::new(), init_template());
    refuse_what_is_there(&args.directory, &tree, &host)?;
    tree.write(&args.directory, &host)?;
    for path in tree.paths() {
        session.ui.data(format_args!("{}\n", clean(&below(&args.directory, path))));
    }
    if !session.flags.quiet {
        session.ui.talk(next_steps(&args.directory));
    }
    Ok(Exit::Success)
}

/// A file of the example, or any other configuration, which would be read together with it.
fn refuse_what_is_there(directory: &Path, tree: &TextTree, host: &LocalHost) -> Result<(), CliError> {
    let place = absolute(directory)?;
    let names = match host.look(&place)?.map(|entry| entry.kind) {
        None => return Ok(()),
        Some(EntryKind::Directory) => host.list(&place)?,
        Some(other) => {
            let message = format!("{} is {}, not a directory", directory.display(), other.words());
            return Err(CliError::new(message).hint("name a new directory: uphold init DIR"));
        }
    };
    let names = names.iter().map(|name| name.to_string_lossy());
    let mut there: Vec<String> =
        names.filter(|name| name.ends_with(".hcl") && !name.starts_with('.')).map(String::from).collect();
    for path in tree.paths().filter(|path| path.contains('/')) {
        if host.look(&place.join(path))?.is_some() {
            there.push(path.to_owned());
        }
    }
    if there.is_empty() {
        return Ok(());
    }
    let there: Vec<String> = there.iter().map(|path| below(directory, path)).collect();
    let message = format!("there is configuration already: {}", there.join(", "));
    Err(CliError::new(message).hint("name a new directory: uphold init DIR"))
}

fn below(directory: &Path, path: &str) -> String {
    match directory == Path::new(".") {
        true => path.to_owned(),
        false => directory.join(path).display().to_string(),
    }
}

fn next_steps(directory: &Path) -> String {
    let go = match directory == Path::new(".") {
        true => String::new(),
        false => format!("  cd {}\n", clean(&directory.display().to_string())),
    };
    format!(
        "Next:\n{go}  uphold plan                                  shows what would be done\n  \
         uphold apply                                 does it, in /tmp/uphold-example\n  \
         uphold plan --params {PARAMS}   the same with other values\n  \
         uphold test                                  runs its tests, on a machine in memory\n"
    )
}
