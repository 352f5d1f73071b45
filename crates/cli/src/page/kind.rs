//! The page of a kind, and of all kinds.

use uphold::model::{PropertySchema, Schema};
use uphold::resource::{Kind, Registry};

use super::block::{Block, Page, Row};
use super::{doc, example, words};

/// What it is, an example, its properties, the rules over several of them, and its actions.
pub(crate) fn kind_page(kind: &Kind) -> Page {
    let schema = kind.schema();
    let mut page = vec![Block::Title(schema.kind.to_owned())];
    page.extend(doc::blocks(schema.doc));
    if doc::codes(schema.doc).next().is_none() {
        page.push(Block::Heading("Example"));
        page.push(Block::Code(example::example(schema)));
    }
    page.push(Block::Heading("Properties"));
    page.push(Block::Properties(rows(schema)));
    if !schema.groups.is_empty() {
        page.push(Block::Heading("Rules"));
        page.extend(schema.groups.iter().map(|group| Block::Text(words::group(group))));
    }
    page.push(Block::Heading("Actions"));
    page.push(Block::Text("Chosen by `action`; `converge` unless that is set.".to_owned()));
    page.push(Block::Terms(actions(schema)));
    page.extend(kind.defined_in().map(|file| Block::Text(format!("Defined in {file}."))));
    page
}

/// The kinds with their first sentences, and the files of those that are not part of the program.
pub(crate) fn kinds_page(kinds: &Registry) -> Page {
    let term = |kind: &Kind| {
        let file = kind.defined_in().map(|file| format!(" ({file})")).unwrap_or_default();
        (kind.schema().kind.to_owned(), format!("{}{file}", doc::summary(kind.schema().doc)))
    };
    vec![
        Block::Title("Kinds".to_owned()),
        Block::Terms(kinds.iter().map(term).collect()),
        Block::Text(
            "`uphold explain KIND` tells more about each; --functions, --facts, --meta and --blocks list the rest \
             of the language."
                .to_owned(),
        ),
    ]
}

fn rows(schema: &Schema) -> Vec<Row> {
    let mut rows = Vec::new();
    for property in schema.all() {
        rows.push(row(property.name.to_owned(), property));
        for member in words::members(property.ty) {
            rows.push(Row {
                role: property.role.word(),
                ..row(format!("{}.{}", property.name, member.name), member)
            });
        }
    }
    rows
}

fn row(name: String, property: &PropertySchema) -> Row {
    let mut text = vec![doc::flat(property.doc)];
    text.extend(words::rules(property));
    text.extend(words::history(property));
    text.retain(|sentence| !sentence.is_empty());
    Row {
        name,
        ty: property.ty.to_string(),
        role: property.role.word(),
        presence: words::presence(property),
        text: text.join(" "),
    }
}

fn actions(schema: &Schema) -> Vec<(String, String)> {
    let mut actions = vec![("converge".to_owned(), "Make it as it is declared.".to_owned())];
    if schema.removable {
        actions.push(("remove".to_owned(), "Make it not be there.".to_owned()));
    }
    actions.extend(schema.verbs.iter().map(|verb| (verb.name.to_owned(), doc::flat(verb.doc))));
    actions
}
