//! `uphold explain`.

use std::path::PathBuf;

use uphold::LocalHost;
use uphold::model::{BLOCKS, Code, META};
use uphold::resource::{FACTS, Facts, Registry};
use uphold_wire::schema::Listing;

use crate::page::{
    Markdown, Page, Subject, Terminal, block_list_page, blocks_page, code_list_page, codes_page, explained,
    functions, functions_page, kind, kinds_page, list, meta_list_page, metas_page, reference, summary,
};
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Examples:
  uphold explain                 list all kinds
  uphold explain file            a kind
  uphold explain file.mode       a property
  uphold explain upper           a function; write 'log()' if a kind has the same name
  uphold explain host.os.family  a fact, and its value on this machine
  uphold explain for_each        a meta argument
  uphold explain param           a block of the language
  uphold explain E0402           the code of an error or a warning";

/// Show the documentation of a kind, property, function or fact
///
/// Meta arguments, blocks and diagnostic codes are documented, too. Kinds in the directory `kinds` of the current
/// directory are included if only you and root can write them. No program of a kind is run. With --json, the
/// documentation is one JSON object, for editors.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// Name to explain [default: list all kinds]
    #[arg(value_name = "NAME")]
    topic: Option<String>,
    /// List all functions by topic
    #[arg(long, group = "which", conflicts_with = "topic")]
    functions: bool,
    /// List all facts with their values on this machine
    #[arg(long, group = "which", conflicts_with = "topic")]
    facts: bool,
    /// List all meta arguments
    #[arg(long, group = "which", conflicts_with = "topic")]
    meta: bool,
    /// List all blocks of the language
    #[arg(long, group = "which", conflicts_with = "topic")]
    blocks: bool,
    /// List all codes of errors and warnings
    #[arg(long, group = "which", conflicts_with = "topic")]
    codes: bool,
    /// Print one name per line, with a summary
    #[arg(long, conflicts_with_all = ["topic", "markdown"])]
    list: bool,
    /// Print Markdown, without values of this machine
    #[arg(long)]
    markdown: bool,
    /// Write the whole reference as Markdown below this directory
    #[arg(long, value_name = "DIR", conflicts_with_all = ["topic", "which", "list", "markdown"])]
    write: Option<PathBuf>,
}

pub(crate) fn run(args: &ExplainArgs, session: &mut Session) -> Result<Exit, CliError> {
    if let Some(directory) = &args.write {
        // The reference must not depend on the machine on which it is generated.
        reference(&session.kinds).write(directory, &LocalHost::new())?;
        return Ok(Exit::Success);
    }
    let engine = session.engine()?;
    let kinds = session.kinds_here(&engine);
    let here = (!args.markdown).then(|| &*engine.machine().facts);
    if args.list {
        args.list(&kinds, session);
        return Ok(Exit::Success);
    }
    let subject = args.topic.as_ref().map(|topic| Subject::find(&kinds, topic)).transpose()?;
    if session.flags.json {
        let json = subject.map_or_else(|| args.all_json(&kinds, here), |subject| subject.json(here));
        session.ui.data(format_args!("{json}\n"));
        return Ok(Exit::Success);
    }
    let page = subject.map_or_else(|| args.all_page(&kinds, here), |subject| subject.page(here));
    if args.markdown {
        session.ui.data(Markdown(&page));
    } else {
        session.ui.data(Terminal::new(&page, session.ui.data_paint()));
    }
    Ok(Exit::Success)
}

impl ExplainArgs {
    /// The page that lists everything of the chosen sort.
    fn all_page(&self, kinds: &Registry, here: Option<&dyn Facts>) -> Page {
        if self.functions {
            functions_page()
        } else if self.facts {
            Subject::Facts("").page(here)
        } else if self.meta {
            if self.markdown { metas_page() } else { meta_list_page() }
        } else if self.blocks {
            if self.markdown { blocks_page() } else { block_list_page() }
        } else if self.codes {
            if self.markdown { codes_page() } else { code_list_page() }
        } else {
            kinds_page(kinds)
        }
    }

    /// The JSON that lists everything of the chosen sort.
    fn all_json(&self, kinds: &Registry, here: Option<&dyn Facts>) -> String {
        if self.functions {
            explained(Listing::Functions(functions()))
        } else if self.facts {
            Subject::Facts("").json(here)
        } else if self.meta {
            explained(Listing::MetaArguments(list(META)))
        } else if self.blocks {
            explained(Listing::Blocks(list(BLOCKS)))
        } else if self.codes {
            explained(Listing::Codes(list(Code::ALL)))
        } else {
            explained(Listing::Kinds(kinds.iter().map(kind).collect()))
        }
    }

    /// Prints one line each: the name, two spaces, and its summary; with --json, a list of names.
    fn list(&self, kinds: &Registry, session: &mut Session) {
        let names: Vec<(String, &str)> = if self.functions {
            let all = uphold::functions::all().iter();
            all.map(|function| (function.name.to_owned(), function.doc)).collect()
        } else if self.facts {
            FACTS.iter().map(|fact| (format!("host.{}", fact.name), fact.doc)).collect()
        } else if self.meta {
            META.iter().map(|meta| (meta.name.to_owned(), meta.doc)).collect()
        } else if self.blocks {
            BLOCKS.iter().map(|block| (block.name.to_owned(), block.doc)).collect()
        } else if self.codes {
            Code::ALL.iter().map(|code| (code.id().to_owned(), code.summary())).collect()
        } else {
            kinds.iter().map(|kind| (kind.schema().kind.to_owned(), kind.schema().doc)).collect()
        };
        if session.flags.json {
            let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            return session.ui.json_line(&names);
        }
        for (name, doc) in names {
            session.ui.data(format_args!("{name}  {}\n", summary(doc)));
        }
    }
}
