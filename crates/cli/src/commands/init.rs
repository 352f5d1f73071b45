//! `uphold init`.

use std::path::{Path, PathBuf};

use uphold::LocalHost;
use uphold::resource::{EntryKind, Files};

use crate::text_files::{absolute, write_all};
use crate::{CliError, Exit, Session, clean};

const EXAMPLES: &str = "\
Examples:
  uphold init site && cd site && uphold plan
  uphold init && mkdir machine && uphold apply --root machine";

/// The params file of the example.
const PARAMS: &str = "params/production.hcl";

/// A configuration, its tests, a params file and a module.
const TEMPLATE: [(&str, &str); 4] = [
    ("main.hcl", include_str!("../init_template/main.hcl")),
    ("main.test.hcl", include_str!("../init_template/main.test.hcl")),
    (PARAMS, include_str!("../init_template/params/production.hcl")),
    ("modules/note/main.hcl", include_str!("../init_template/modules/note/main.hcl")),
];

/// Write a small example configuration
///
/// It shows params, locals, a loop, a module, an output and tests, and manages a few files in /tmp/uphold-example.
/// Nothing is overwritten: if one of its files or another configuration exists, nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// Directory to write to, created if missing [default: .]
    #[arg(value_name = "DIR", default_value = ".", hide_default_value = true)]
    directory: PathBuf,
}

pub(crate) fn run(args: &InitArgs, session: &mut Session) -> Result<Exit, CliError> {
    let host = LocalHost::new();
    refuse_existing(&args.directory, &host)?;
    write_all(&TEMPLATE, &args.directory, &host)?;
    for (path, _) in TEMPLATE {
        session.ui.data(format_args!("{}\n", clean(&below(&args.directory, path))));
    }
    if !session.flags.quiet {
        session.ui.talk(next_steps(&args.directory));
    }
    Ok(Exit::Success)
}

/// Refuses a directory with a file of the example, or with other configuration, which would be read together with it.
fn refuse_existing(directory: &Path, host: &LocalHost) -> Result<(), CliError> {
    let place = absolute(directory)?;
    let refuse = |message: String| Err(CliError::new(message).hint("name a new directory: uphold init DIR"));
    let names = match host.look(&place)?.map(|entry| entry.kind) {
        None => return Ok(()),
        Some(EntryKind::Directory) => host.list(&place)?,
        Some(other) => {
            return refuse(format!("{} is {}, not a directory", directory.display(), other.words()));
        }
    };
    let names = names.iter().map(|name| name.to_string_lossy());
    let mut existing: Vec<String> = names
        .filter(|name| name.ends_with(".hcl") && !name.starts_with('.'))
        .map(|name| below(directory, &name))
        .collect();
    for (path, _) in TEMPLATE.iter().filter(|(path, _)| path.contains('/')) {
        if host.look(&place.join(path))?.is_some() {
            existing.push(below(directory, path));
        }
    }
    if existing.is_empty() {
        return Ok(());
    }
    refuse(format!("a configuration already exists: {}", existing.join(", ")))
}

fn below(directory: &Path, path: &str) -> String {
    if directory == Path::new(".") { path.to_owned() } else { directory.join(path).display().to_string() }
}

fn next_steps(directory: &Path) -> String {
    let cd = if directory == Path::new(".") {
        String::new()
    } else {
        format!("  cd {}\n", clean(&directory.display().to_string()))
    };
    format!(
        "Next:\n{cd}  uphold plan                                  show what would change\n  \
         uphold apply                                 change it, in /tmp/uphold-example\n  \
         uphold plan --params {PARAMS}   the same with other params\n  \
         uphold test                                  run the tests, on a machine in memory\n"
    )
}
