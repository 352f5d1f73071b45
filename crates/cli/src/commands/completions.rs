//! `uphold completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::error::CliError;
use crate::exit::Exit;
use crate::session::Session;

const INSTALL: &str = "\
Where to put them, for you alone:
  bash        uphold completions bash > ~/.local/share/bash-completion/completions/uphold
  zsh         uphold completions zsh > ~/.zfunc/_uphold
              with this in ~/.zshrc, before compinit: fpath+=~/.zfunc
  fish        uphold completions fish > ~/.config/fish/completions/uphold.fish
  elvish      uphold completions elvish > ~/.config/elvish/lib/uphold.elv
              with this in ~/.config/elvish/rc.elv: use uphold
  powershell  uphold completions powershell >> $PROFILE
The directory must exist; a new shell knows them.";

/// Print completions for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = INSTALL)]
pub(crate) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs it. The generator panics when it cannot write, so it writes to memory.
pub(crate) fn run(args: &CompletionsArgs, session: &mut Session) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "uphold", &mut script);
    session.ui.data(String::from_utf8_lossy(&script));
    Ok(Exit::Success)
}
