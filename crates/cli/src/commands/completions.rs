//! `uphold completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::{CliError, Exit, Session};

const INSTALL: &str = "\
Installation for one user:
  bash        uphold completions bash > ~/.local/share/bash-completion/completions/uphold
  zsh         uphold completions zsh > ~/.zfunc/_uphold
              and in ~/.zshrc, before compinit: fpath+=~/.zfunc
  fish        uphold completions fish > ~/.config/fish/completions/uphold.fish
  elvish      uphold completions elvish > ~/.config/elvish/lib/uphold.elv
              and in ~/.config/elvish/rc.elv: use uphold
  powershell  uphold completions powershell >> $PROFILE
The directory must exist. Start a new shell afterwards.";

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = INSTALL)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, session: &mut Session) -> Result<Exit, CliError> {
    // The generator panics when it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "uphold", &mut script);
    session.ui.data(String::from_utf8_lossy(&script));
    Ok(Exit::Success)
}
