//! Documentation of kinds, properties, functions, facts, meta arguments, blocks and diagnostic codes, generated from their
//! schemas: for the terminal, as Markdown, and as JSON.

mod block;
mod example;
mod fact;
mod function;
mod kind;
mod language;
mod markdown;
mod reference;
mod schema;
mod script_name;
mod subject;
mod terminal;
mod value;

pub(crate) use block::{Page, summary};
pub(crate) use fact::facts_below;
pub(crate) use function::functions_page;
pub(crate) use kind::kinds_page;
pub(crate) use language::{
    block_list_page, blocks_page, code_list_page, codes_page, meta_list_page, metas_page,
};
pub(crate) use markdown::Markdown;
pub(crate) use reference::reference;
pub(crate) use schema::{functions, kind, list, schema_text};
pub(crate) use subject::{Subject, explained, find_kind, find_property, foreign_note};
pub(crate) use terminal::{Terminal, terminal_width};
pub(crate) use value::{Overview, argument, bare, shown};
