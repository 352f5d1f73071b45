//! `uphold graph`.

use clap::ValueEnum;

use crate::drawing::{Dot, Graph, Mermaid, Svg};
use crate::report::Human;
use crate::run::check;
use crate::{CliError, Exit, Input, Session};

const EXAMPLES: &str = "\
Examples:
  uphold graph | dot -Tpdf > graph.pdf
  uphold graph --format svg > graph.svg";

/// Show the dependency graph
///
/// Each node is an action on a resource. An edge leads from an action to each one that depends on it or that it
/// notifies, and is labelled with the reason. The machine is not read. With --json, nodes and edges are printed as JSON.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    input: Input,
    /// Choose the output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Graphviz
    #[default]
    Dot,
    /// Mermaid, for web pages, most of which draw at most 500 edges
    Mermaid,
    /// SVG image
    Svg,
}

pub(crate) fn run(args: &GraphArgs, session: &mut Session) -> Result<Exit, CliError> {
    let mut report = Human::new(&session.flags, false, session.signals.stop());
    let configuration = args.input.read(args.input.reader(&session.engine()?))?;
    let Some(checked) = check(configuration, session, &mut report)? else { return Ok(Exit::Failure) };
    let graph = Graph::from(checked.program());
    match args.format {
        _ if session.flags.json => session.ui.json_line(&graph.to_wire()),
        Format::Dot => session.ui.data(Dot(&graph)),
        Format::Mermaid => session.ui.data(Mermaid(&graph)),
        Format::Svg => session.ui.data(Svg(&graph)),
    }
    Ok(Exit::Success)
}
