//! Pages of kinds, properties, functions, facts, meta arguments, blocks and diagnostic codes, made from their schemas: for the
//! terminal, as Markdown, as JSON.

mod block;
mod code;
mod doc;
mod example;
mod fact;
mod function;
mod kind;
mod language;
mod lookup;
mod markdown;
mod property;
mod reference;
mod schema;
mod subject;
mod terminal;
mod value;
mod words;

pub(crate) use block::Page;
pub(crate) use code::{code_list_page, codes_page};
pub(crate) use doc::summary;
pub(crate) use fact::facts_below;
pub(crate) use function::functions_page;
pub(crate) use kind::kinds_page;
pub(crate) use language::{block_list_page, blocks_page, meta_list_page, metas_page};
pub(crate) use lookup::{find_kind, find_property};
pub(crate) use markdown::Markdown;
pub(crate) use reference::reference;
pub(crate) use schema::{functions, kind, list, schema_text};
pub(crate) use subject::{Subject, explained};
pub(crate) use terminal::{Terminal, terminal_width};
pub(crate) use value::{Overview, argument, bare, shown};
