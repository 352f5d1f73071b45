//! All pages as files: the reference.

use uphold::model::Schema;
use uphold::resource::{Kind, Registry};

use super::block::Block;
use super::code::codes_page;
use super::fact::facts_page;
use super::function::{about, by_topic, signature, title, topic_page};
use super::kind::kind_page;
use super::language::{blocks_page, metas_page};
use super::markdown::Markdown;
use super::{doc, schema};
use crate::text_tree::TextTree;

const GENERATED: &str = "<!-- Made by `uphold explain --write` from the program itself; do not edit. -->\n\n";

/// A page for each kind and each topic of functions, one for facts, one for meta arguments, one for blocks, one for diagnostic
/// codes, lists of them, and the schema for editors.
pub(crate) fn reference(kinds: &Registry) -> TextTree {
    let schemas: Vec<&Schema> = kinds.iter().map(Kind::schema).collect();
    let mut tree = TextTree::default();
    tree.add("README.md", with_note(&index()));
    tree.add("kinds/README.md", with_note(&kind_index(&schemas)));
    for kind in kinds.iter() {
        tree.add(format!("kinds/{}.md", kind.schema().kind), page(&kind_page(kind)));
    }
    tree.add("functions/README.md", with_note(&function_index()));
    for topic in by_topic().into_keys() {
        tree.add(format!("functions/{}", file(title(topic))), page(&topic_page(topic)));
    }
    tree.add("facts.md", page(&facts_page("", None)));
    tree.add("meta.md", page(&metas_page()));
    tree.add("blocks.md", page(&blocks_page()));
    tree.add("diagnostics.md", page(&codes_page()));
    tree.add("schema.json", schema::schema_text(kinds));
    tree
}

fn page(blocks: &[Block]) -> String {
    with_note(&Markdown(blocks).to_string())
}

fn with_note(text: &str) -> String {
    format!("{GENERATED}{text}")
}

fn index() -> String {
    "# Reference\n\n\
     - [Kinds](kinds/README.md): what can be held, and every property of it\n\
     - [Functions](functions/README.md): what expressions can call\n\
     - [Facts](facts.md): what `host.…` says about the machine\n\
     - [Meta arguments](meta.md): what every block takes\n\
     - [Blocks](blocks.md): the blocks of the language, and references\n\
     - [Diagnostics](diagnostics.md): the codes of errors and warnings, each with an example\n\
     - [schema.json](schema.json): all of it for programs; `uphold schema` prints the same\n\n\
     `uphold explain NAME` prints the page of anything that has a name.\n"
        .to_owned()
}

fn kind_index(schemas: &[&Schema]) -> String {
    let line = |schema: &&Schema| {
        format!("- [`{kind}`]({kind}.md): {}\n", doc::summary(schema.doc), kind = schema.kind)
    };
    format!("# Kinds\n\n{}", schemas.iter().map(line).collect::<String>())
}

fn function_index() -> String {
    let mut text = "# Functions\n".to_owned();
    for (topic, functions) in by_topic() {
        let file = file(title(topic));
        text.push_str(&format!("\n## [{}]({file})\n\n{}\n\n", title(topic), about(topic)));
        for function in functions {
            let (name, summary) = (function.name, doc::summary(function.doc));
            text.push_str(&format!("- [`{}`]({file}#{name}): {summary}\n", signature(function)));
        }
    }
    text
}

fn file(title: &str) -> String {
    format!("{}.md", title.to_lowercase())
}
