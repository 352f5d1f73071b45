//! Pages of meta arguments, blocks and references: the words of the language.

use uphold::model::{BLOCKS, BlockAttribute, BlockSchema, META, MetaSchema, ROOTS, RootSchema};

use super::block::{Block, Page};
use super::doc;

/// What a meta argument takes and does, with an example.
pub(crate) fn meta_page(meta: &MetaSchema) -> Page {
    let mut page = vec![Block::Title(meta.name.to_owned())];
    page.extend(meta_body(meta));
    page
}

/// All meta arguments, whole.
pub(crate) fn metas_page() -> Page {
    let about = "What every block of a resource takes, whatever its kind. `module` blocks take `for_each`, `when` and \
                 `depends_on`.";
    let mut page = vec![Block::Title("Meta arguments".to_owned()), Block::Text(about.to_owned())];
    for meta in META {
        page.push(Block::Heading(meta.name));
        page.extend(meta_body(meta));
    }
    page
}

/// The meta arguments with their first sentences.
pub(crate) fn meta_list_page() -> Page {
    let term = |meta: &MetaSchema| (meta.name.to_owned(), doc::summary(meta.doc).to_owned());
    vec![
        Block::Title("Meta arguments".to_owned()),
        Block::Terms(META.iter().map(term).collect()),
        Block::Text("`uphold explain NAME` tells more about each.".to_owned()),
    ]
}

fn meta_body(meta: &MetaSchema) -> Page {
    vec![
        Block::Text(meta.doc.to_owned()),
        Block::Terms(vec![("Takes".to_owned(), format!("{}.", meta.takes))]),
        Block::Code(meta.example.to_owned()),
    ]
}

/// What a block of the language says, what may be set in it, and an example.
pub(crate) fn block_page(block: &BlockSchema) -> Page {
    let mut page = vec![Block::Title(block.name.to_owned())];
    page.extend(block_body(block));
    page.extend(ROOTS.iter().filter(|root| root.name == block.name).map(|root| Block::Text(root_text(root))));
    page
}

/// All blocks and references of the language, whole.
pub(crate) fn blocks_page() -> Page {
    let about = "The blocks that belong to the language itself. Every other block is a resource: its first word is a \
                 kind.";
    let mut page = vec![Block::Title("Blocks".to_owned()), Block::Text(about.to_owned())];
    for block in BLOCKS {
        page.push(Block::Heading(block.name));
        page.extend(block_body(block));
    }
    page.push(Block::Heading("References"));
    page.push(Block::Text(
        "`kind.name.field` is a property of a resource. These first words are no kinds:".to_owned(),
    ));
    page.push(Block::Terms(ROOTS.iter().map(|root| (root.form.to_owned(), root.doc.to_owned())).collect()));
    page
}

/// The blocks and references with their first sentences.
pub(crate) fn block_list_page() -> Page {
    let block = |block: &BlockSchema| (block.head.to_owned(), doc::summary(block.doc));
    let root = |root: &RootSchema| (root.form.to_owned(), root.doc.to_owned());
    vec![
        Block::Title("Blocks of the language".to_owned()),
        Block::Terms(BLOCKS.iter().map(block).collect()),
        Block::Heading("First words of references"),
        Block::Terms(ROOTS.iter().map(root).collect()),
        Block::Text("`uphold explain NAME` tells more about each.".to_owned()),
    ]
}

/// What the first word of a reference stands for.
pub(crate) fn root_page(root: &RootSchema) -> Page {
    vec![Block::Title(root.name.to_owned()), Block::Text(root_text(root))]
}

fn root_text(root: &RootSchema) -> String {
    format!("`{}` in an expression: {}", root.form, root.doc)
}

fn block_body(block: &BlockSchema) -> Page {
    let mut body = vec![Block::Code(format!("{} {{ … }}", block.head)), Block::Text(block.doc.to_owned())];
    if !block.attributes.is_empty() {
        body.push(Block::Terms(block.attributes.iter().map(attribute).collect()));
    }
    body.push(Block::Code(block.example.to_owned()));
    body
}

fn attribute(attribute: &BlockAttribute) -> (String, String) {
    let required = if attribute.required { ", required" } else { "" };
    (attribute.name.to_owned(), format!("{}{required}. {}", attribute.takes, attribute.doc))
}
