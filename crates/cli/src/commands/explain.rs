//! `uphold explain`.

use serde_json::{Value as Json, json};
use uphold::model::Schema;
use uphold::resource::Kind;

use crate::error::CliError;
use crate::exit::Exit;
use crate::page::{
    Markdown, Page, Terminal, find_kind, find_property, kind_json, kind_page, kinds_page, property_json,
    property_page, summary,
};
use crate::paint::Paint;
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold explain            all kinds
  uphold explain file       the page of a kind
  uphold explain file.mode  the page of a property";

/// Print the page of a kind or of a property
///
/// The pages are made from the kinds themselves. With --json, all that is known is printed as one
/// object, for editors.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// A kind, or a kind and its property; all kinds unless set
    #[arg(value_name = "KIND[.PROPERTY]")]
    topic: Option<String>,
    /// Print one kind per line
    #[arg(long, conflicts_with_all = ["topic", "markdown"])]
    list: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

/// Runs it.
pub(crate) fn run(args: &ExplainArgs, session: &mut Session) -> Result<Exit, CliError> {
    let (page, json) = match &args.topic {
        Some(topic) => explain(topic, session)?,
        None => all(session),
    };
    if session.flags.json {
        session.ui.data(format_args!("{json}\n"));
    } else if args.list {
        list(session);
    } else if args.markdown {
        session.ui.data(Markdown(&page));
    } else {
        let paint = Paint::new(session.ui.is_data_coloured());
        session.ui.data(Terminal::new(&page, paint));
    }
    Ok(Exit::Success)
}

fn all(session: &Session) -> (Page, Json) {
    let schemas: Vec<&Schema> = session.kinds.iter().map(Kind::schema).collect();
    let json = schemas.iter().map(|schema| kind_json(schema)).collect::<Vec<_>>();
    (kinds_page(&schemas), json!({ "kinds": json }))
}

fn list(session: &mut Session) {
    for kind in session.kinds.iter() {
        session.ui.data(format_args!("{}  {}\n", kind.schema().kind, summary(kind.schema().doc)));
    }
}

fn explain(topic: &str, session: &Session) -> Result<(Page, Json), CliError> {
    let (kind, path) = topic.split_once('.').map_or((topic, None), |(kind, path)| (kind, Some(path)));
    let schema = find_kind(&session.kinds, kind)?.schema();
    let Some(path) = path else { return Ok((kind_page(schema), kind_json(schema))) };
    let property = find_property(schema, path)?;
    Ok((property_page(schema, path, property), property_json(property)))
}
