//! `uphold schema`.

use uphold::resource::Registry;

use crate::error::CliError;
use crate::exit::Exit;
use crate::page::schema_text;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold schema > schema.json
  uphold schema | jq -r '.functions[].signature'
  uphold schema --luau > kinds/uphold.d.luau";

/// Print all kinds, functions, facts, meta arguments and blocks as one JSON document, for editors
///
/// `format` is \"uphold-schema\", and `format_version` is \"1.0\". The rest are lists: `kinds`, `functions`, `topics` of
/// functions, `facts`, `meta_arguments`, `blocks` and `roots`, which are the first words of references. New
/// keys may come; the first number of the version goes up when the meaning of one changes.
///
/// Kinds of the files in `kinds` of the current directory are there, too, if only you and root can have written them.
/// Those whose properties a program prints have none here: no program is run.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SchemaArgs {
    /// Print a Luau definition file instead, so that editors complete and check scripts
    #[arg(long)]
    luau: bool,
}

/// Runs it.
pub(crate) fn run(args: &SchemaArgs, session: &mut Session) -> Result<Exit, CliError> {
    let kinds = session.kinds_here(&session.engine()?);
    session.ui.data(if args.luau { definitions(&kinds)? } else { schema_text(&kinds) });
    Ok(Exit::Success)
}

#[cfg(feature = "luau")]
#[expect(clippy::unnecessary_wraps, reason = "a build without Luau has none")]
fn definitions(kinds: &Registry) -> Result<String, CliError> {
    Ok(uphold::script::definitions(kinds))
}

#[cfg(not(feature = "luau"))]
fn definitions(_: &Registry) -> Result<String, CliError> {
    Err(CliError::not_built_in("Luau", "luau"))
}
