//! `uphold graph`.

use clap::ValueEnum;

use crate::drawing::{Dot, Drawing, Mermaid, Svg};
use crate::error::CliError;
use crate::exit::Exit;
use crate::input::Input;
use crate::report::Human;
use crate::run::check;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold graph | dot -Tpdf > graph.pdf
  uphold graph --format svg > graph.svg";

/// Show what comes before what, and why
///
/// Each action is a node, named by its resource. An arrow goes from an action to those that come
/// after it or that it notifies, with the reason. The machine is not looked at. With --json, nodes and edges are printed as
/// JSON.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GraphArgs {
    /// Of what.
    #[command(flatten)]
    input: Input,
    /// In which language
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// The language of the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For Graphviz
    #[default]
    Dot,
    /// For web pages that draw Mermaid; by default these draw at most 500 arrows
    Mermaid,
    /// A picture
    Svg,
}

/// Runs it.
pub(crate) fn run(args: &GraphArgs, session: &mut Session) -> Result<Exit, CliError> {
    let mut report = Human::new(&session.flags, false, session.signals.stop());
    let configuration = args.input.read(args.input.reader(&session.engine()?))?;
    let Some(checked) = check(configuration, session, &mut report)? else { return Ok(Exit::Failure) };
    let drawing = Drawing::from(checked.program());
    match args.format {
        _ if session.flags.json => session.ui.json_line(&drawing.to_wire()),
        Format::Dot => session.ui.data(Dot(&drawing)),
        Format::Mermaid => session.ui.data(Mermaid(&drawing)),
        Format::Svg => session.ui.data(Svg(&drawing)),
    }
    Ok(Exit::Success)
}
