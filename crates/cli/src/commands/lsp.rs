//! `uphold lsp`.

use std::io::BufWriter;
use std::sync::Arc;

use uphold::Engine;
use uphold::resource::Registry;
use uphold_lsp::{Ending, Server};

use crate::error::CliError;
use crate::exit::Exit;
use crate::page::{Markdown, Subject};
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

/// Runs it. No signal is caught: whoever wants it to end may end it at any time.
pub(crate) fn run(_: &LspArgs, session: &mut Session) -> Result<Exit, CliError> {
    let engine = Engine::builder().host(session.host()?).build();
    let page = |kinds: &Registry, name: &str| {
        let subject = Subject::find(kinds, name).ok()?;
        Some(Markdown(&subject.page(None)).to_string())
    };
    let server = Server::new(engine, Arc::new(session.host()?), session.kinds.clone(), page);
    match server.serve(std::io::stdin(), BufWriter::new(std::io::stdout())) {
        Ok(Ending::Orderly) => Ok(Exit::Success),
        Ok(Ending::Abrupt) => Ok(Exit::Failure),
        Err(error) => Err(CliError::new("cannot go on speaking with the editor").because(&error)),
    }
}
