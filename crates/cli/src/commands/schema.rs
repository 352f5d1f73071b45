//! `uphold schema`.

use uphold::resource::Registry;

use crate::page::schema_text;
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Examples:
  uphold schema > schema.json
  uphold schema | jq -r '.functions[].signature'
  uphold schema --luau > kinds/uphold.d.luau";

/// Print the schema of the language as JSON
///
/// It contains `format` (\"uphold-schema\"), `format_version` (\"1.0\") and these lists: `kinds`, `functions`, `topics` of
/// functions, `facts`, `meta_arguments`, `blocks`, and `roots`, the first words of references. Keys may be added; the
/// major version changes when the meaning of a key does.
///
/// Kinds in the directory `kinds` of the current directory are included if only you and root can write them. No program
/// is run, so kinds whose schema comes from a program have no properties here.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemaArgs {
    /// Print a Luau definition file for editors instead
    #[arg(long)]
    luau: bool,
}

pub(crate) fn run(args: &SchemaArgs, session: &mut Session) -> Result<Exit, CliError> {
    let kinds = session.kinds_here(&session.engine()?);
    session.ui.data(if args.luau { definitions(&kinds)? } else { schema_text(&kinds) });
    Ok(Exit::Success)
}

#[cfg(feature = "luau")]
#[expect(clippy::unnecessary_wraps, reason = "it fails in a build without Luau")]
fn definitions(kinds: &Registry) -> Result<String, CliError> {
    Ok(uphold::script::definitions(kinds))
}

#[cfg(not(feature = "luau"))]
fn definitions(_: &Registry) -> Result<String, CliError> {
    Err(CliError::not_built_in("Luau", "luau"))
}
