//! `uphold schema`.

use crate::error::CliError;
use crate::exit::Exit;
use crate::page::schema_text;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold schema > schema.json
  uphold schema | jq -r '.functions[].signature'";

/// Print all kinds, functions, facts, meta arguments and blocks as one JSON document, for editors
///
/// `format` is \"uphold-schema\", and `version` is 1. The rest are lists: `kinds`, `functions`, `topics` of
/// functions, `facts`, `meta_arguments`, `blocks` and `roots`, which are the first words of references. New
/// keys may come; the version goes up when the meaning of one changes.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemaArgs {}

/// Runs it.
pub(crate) fn run(_: &SchemaArgs, session: &mut Session) -> Result<Exit, CliError> {
    let text = schema_text(&session.kinds);
    session.ui.data(text);
    Ok(Exit::Success)
}
