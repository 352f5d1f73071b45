//! `uphold lsp`.

use crate::{CliError, Exit, Session};

/// Run the language server for editors
///
/// Editors start it and communicate through its standard input and output. It reports errors while you type, completes
/// names, shows documentation, finds definitions, and formats. It runs no program and changes no file.
#[derive(Debug, clap::Args)]
pub(crate) struct LspArgs {
    /// Accepted for editors that pass it; always on
    #[arg(long)]
    stdio: bool,
}

#[cfg(not(feature = "lsp"))]
pub(crate) fn run(_: &LspArgs, _: &mut Session) -> Result<Exit, CliError> {
    Err(CliError::not_built_in("the language server", "lsp"))
}

/// Catches no signal: the server can be ended at any time.
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
        Err(error) => Err(CliError::new("the connection to the editor failed").because(&error)),
    }
}
