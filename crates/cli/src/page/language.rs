//! Pages of meta arguments, blocks, references and diagnostic codes.

use uphold::model::{BLOCKS, BlockAttribute, BlockSchema, Code, META, MetaSchema, ROOTS, RootSchema};

use super::block::{Block, Page, doc_blocks, list_page, sections, summary};

/// The meaning of a code, with a wrong and a correct example.
pub(crate) fn code_page(code: Code) -> Page {
    let mut page = vec![Block::Title(format!("{code}: {}", code.summary()))];
    page.extend(doc_blocks(code.page()));
    page
}

/// All diagnostic codes with their pages.
pub(crate) fn codes_page() -> Page {
    let about = "Each error and warning about a configuration has a code, which does not change when its message does. \
                 `uphold explain CODE` shows its page.";
    let section = |code: &'static Code| {
        let mut page = vec![Block::Text(format!("**{}**", code.summary()))];
        page.extend(doc_blocks(code.page()));
        (code.id(), page)
    };
    sections("Diagnostics", about, Code::ALL.iter().map(section))
}

pub(crate) fn code_list_page() -> Page {
    let term = |code: &Code| (code.id().to_owned(), code.summary().to_owned());
    list_page("Diagnostics", Code::ALL.iter().map(term).collect(), "CODE")
}

pub(crate) fn meta_page(meta: &MetaSchema) -> Page {
    let mut page = vec![Block::Title(meta.name.to_owned())];
    page.extend(meta_body(meta));
    page
}

/// All meta arguments with their pages.
pub(crate) fn metas_page() -> Page {
    let about = "Arguments of every resource block, whatever its kind. `module` blocks take `for_each`, `when`, \
                 `depends_on`, `on_removal` and `always`.";
    sections("Meta arguments", about, META.iter().map(|meta| (meta.name, meta_body(meta))))
}

pub(crate) fn meta_list_page() -> Page {
    let term = |meta: &MetaSchema| (meta.name.to_owned(), summary(meta.doc));
    list_page("Meta arguments", META.iter().map(term).collect(), "NAME")
}

fn meta_body(meta: &MetaSchema) -> Page {
    vec![
        Block::Text(meta.doc.to_owned()),
        Block::Terms(vec![("Accepts".to_owned(), format!("{}.", meta.takes))]),
        Block::Code(meta.example.to_owned()),
    ]
}

pub(crate) fn block_page(block: &BlockSchema) -> Page {
    let mut page = vec![Block::Title(block.name.to_owned())];
    page.extend(block_body(block));
    page.extend(ROOTS.iter().filter(|root| root.name == block.name).map(|root| Block::Text(root_text(root))));
    page
}

/// All blocks and references of the language with their pages.
pub(crate) fn blocks_page() -> Page {
    let about = "Blocks of the language itself. Every other block is a resource: its first word is a kind.";
    let mut page = sections("Blocks", about, BLOCKS.iter().map(|block| (block.name, block_body(block))));
    page.push(Block::Heading("References"));
    page.push(Block::Text(
        "`kind.name.field` is a property of a resource. These first words are not kinds:".to_owned(),
    ));
    page.push(Block::Terms(root_terms()));
    page
}

pub(crate) fn block_list_page() -> Page {
    let block = |block: &BlockSchema| (block.head.to_owned(), summary(block.doc));
    let mut page = list_page("Blocks of the language", BLOCKS.iter().map(block).collect(), "NAME");
    page.splice(2..2, [Block::Heading("First words of references"), Block::Terms(root_terms())]);
    page
}

/// The page of the first word of a reference.
pub(crate) fn root_page(root: &RootSchema) -> Page {
    vec![Block::Title(root.name.to_owned()), Block::Text(root_text(root))]
}

fn root_terms() -> Vec<(String, String)> {
    ROOTS.iter().map(|root| (root.form.to_owned(), root.doc.to_owned())).collect()
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
