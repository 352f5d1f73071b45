//! `uphold lsp`.

use crate::error::CliError;
use crate::exit::Exit;
use crate::session::Session;

/// Speak with an editor: a language server
///
/// Editors start it and talk to it through its standard input and output. It tells what is wrong
/// while you type, completes, shows the pages of `uphold explain`, goes to definitions, and
/// formats. It runs nothing, and changes no file.
#[derive(Debug, clap::Args)]
pub(crate) struct LspArgs {
    /// Use standard input and output, as it always does; some editors insist on saying so
    #[arg(long)]
    stdio: bool,
}

/// A build without it.
#[cfg(not(feature = "lsp"))]
pub(crate) fn run(_: &LspArgs, _: &mut Session) -> Result<Exit, CliError> {
    Err(CliError::not_built_in("the language server", "lsp"))
}

/// Runs it. No signal is caught: whoever wants it to end may end it at any time.
#[cfg(feature = "lsp")]
pub(crate) fn run(_: &LspArgs, session: &mut Session) -> Result<Exit, CliError> {
    use std::io::BufWriter;

    use crate::page::{Markdown, Subject};
    use uphold::resource::Registry;
    use uphold_lsp::{Ending, Server};

    let page = |kinds: &Registry, name: &str| {
        let subject = Subject::find(kinds, name).ok()?;
        Some(Markdown(&subject.page(None)).to_string())
    };
    let server = Server::new(session.engine()?, page);
    match server.serve(std::io::stdin(), BufWriter::new(std::io::stdout())) {
        Ok(Ending::Orderly) => Ok(Exit::Success),
        Ok(Ending::Abrupt) => Ok(Exit::Failure),
        Err(error) => Err(CliError::new("cannot go on speaking with the editor").because(&error)),
    }
}
