//! `uphold explain`.

use std::path::PathBuf;

use uphold::LocalHost;
use uphold::model::{BLOCKS, Code, META};
use uphold::resource::{FACTS, Facts, Registry};
use uphold_wire::schema::Listing;

use crate::page::{
    Markdown, Page, Subject, Terminal, block_list_page, blocks_page, code_list_page, codes_page, explained,
    foreign_note, functions, functions_page, kind, kinds_page, list, meta_list_page, metas_page, reference,
    summary,
};
use crate::text_files::write_all;
use crate::{CliError, Exit, Session};

const EXAMPLES: &str = "\
Names:
  uphold explain                 list all kinds
  uphold explain file            a kind
  uphold explain file.verify     a property of a kind
  uphold explain verify          all properties of this name
  uphold explain notifies        a meta argument, which every kind accepts
  uphold explain upper           a function; write 'log()' if a kind has the same name
  uphold explain host.os.family  a fact, and its value on this machine
  uphold explain param           a block of the language
  uphold explain fs.copy         a function of scripts in Luau
  uphold explain E0402           the code of an error or a warning
  uphold explain meta            all meta arguments; also: kinds, functions, facts, blocks, codes";

/// Show the documentation of a kind, property, function or fact
///
/// Meta arguments, blocks and diagnostic codes are documented, too; the names are listed below. Kinds
/// of your own are looked for in the directory `kinds` of the current directory, in --kinds and in UPHOLD_KINDS_PATH; they
/// are included if only you and root can write them. No program of a kind is run. With --json, the
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
        write_all(&reference(&session.kinds), directory, &LocalHost::new())?;
        return Ok(Exit::Success);
    }
    let engine = session.engine()?;
    let kinds = session.kinds_here(&engine);
    let here = (!args.markdown).then(|| &*engine.machine().facts);
    let section = args.section(&kinds);
    if args.list {
        print_names(&section.unwrap_or(Section::Kinds).names(&kinds), session);
        return Ok(Exit::Success);
    }
    let explanation = match section {
        Some(section) => Explanation::Section(section),
        None => Explanation::Subject(Subject::find(&kinds, args.topic.as_deref().unwrap_or_default())?),
    };
    if session.flags.json {
        let json = match &explanation {
            Explanation::Section(section) => section.json(&kinds, here),
            Explanation::Subject(subject) => subject.json(here),
        };
        session.ui.data(format_args!("{json}\n"));
        return Ok(Exit::Success);
    }
    let page = match &explanation {
        Explanation::Section(section) => section.page(args.markdown, &kinds, here),
        Explanation::Subject(subject) => {
            let note = foreign_note(&kinds, args.topic.as_deref().unwrap_or_default());
            subject.page(here).into_iter().chain(note).collect()
        }
    };
    if args.markdown {
        session.ui.data(Markdown(&page));
    } else {
        session.ui.data(Terminal::new(&page, session.ui.data_paint()));
    }
    Ok(Exit::Success)
}

enum Explanation<'a> {
    Section(Section),
    Subject(Subject<'a>),
}

/// Everything of one sort: the list that `uphold explain SECTION` and a flag show.
#[derive(Clone, Copy)]
enum Section {
    Kinds,
    Functions,
    Facts,
    Meta,
    Blocks,
    Codes,
}

impl ExplainArgs {
    /// The section that a flag or a word names; all kinds if there is neither. A kind can have the name of a section.
    fn section(&self, kinds: &Registry) -> Option<Section> {
        let word = self.topic.as_deref().filter(|topic| kinds.get(topic).is_none());
        let flags = [
            (self.functions, "functions", Section::Functions),
            (self.facts, "facts", Section::Facts),
            (self.meta, "meta", Section::Meta),
            (self.blocks, "blocks", Section::Blocks),
            (self.codes, "codes", Section::Codes),
            (self.topic.is_none(), "kinds", Section::Kinds),
        ];
        let mut flags = flags.into_iter();
        flags.find(|(is_set, name, _)| *is_set || word == Some(name)).map(|(_, _, section)| section)
    }
}

impl Section {
    fn page(self, markdown: bool, kinds: &Registry, here: Option<&dyn Facts>) -> Page {
        match self {
            Section::Kinds => kinds_page(kinds),
            Section::Functions => functions_page(),
            Section::Facts => Subject::Facts("").page(here),
            Section::Meta if markdown => metas_page(),
            Section::Meta => meta_list_page(),
            Section::Blocks if markdown => blocks_page(),
            Section::Blocks => block_list_page(),
            Section::Codes if markdown => codes_page(),
            Section::Codes => code_list_page(),
        }
    }

    fn json(self, kinds: &Registry, here: Option<&dyn Facts>) -> String {
        match self {
            Section::Kinds => explained(Listing::Kinds(kinds.iter().map(kind).collect())),
            Section::Functions => explained(Listing::Functions(functions())),
            Section::Facts => Subject::Facts("").json(here),
            Section::Meta => explained(Listing::MetaArguments(list(META))),
            Section::Blocks => explained(Listing::Blocks(list(BLOCKS))),
            Section::Codes => explained(Listing::Codes(list(Code::ALL))),
        }
    }

    /// All names with their documentation.
    fn names(self, kinds: &Registry) -> Vec<(String, &'static str)> {
        match self {
            Section::Kinds => {
                kinds.iter().map(|kind| (kind.schema().kind.to_owned(), kind.schema().doc)).collect()
            }
            Section::Functions => {
                let all = uphold::functions::all().iter();
                all.map(|function| (function.name.to_owned(), function.doc)).collect()
            }
            Section::Facts => FACTS.iter().map(|fact| (format!("host.{}", fact.name), fact.doc)).collect(),
            Section::Meta => META.iter().map(|meta| (meta.name.to_owned(), meta.doc)).collect(),
            Section::Blocks => BLOCKS.iter().map(|block| (block.name.to_owned(), block.doc)).collect(),
            Section::Codes => Code::ALL.iter().map(|code| (code.id().to_owned(), code.summary())).collect(),
        }
    }
}

/// Prints one line each: the name, two spaces, and its summary; with --json, a list of names.
fn print_names(names: &[(String, &str)], session: &mut Session) {
    if session.flags.json {
        let names: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
        return session.ui.json_line(&names);
    }
    for (name, doc) in names {
        session.ui.data(format_args!("{name}  {}\n", summary(doc)));
    }
}
