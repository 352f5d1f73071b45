//! The page of a kind or of a property, made from its schema: for the terminal, as Markdown, as JSON.

mod block;
mod doc;
mod example;
mod json;
mod kind;
mod lookup;
mod markdown;
mod property;
mod terminal;
mod value;
mod words;

pub(crate) use block::Page;
pub(crate) use doc::summary;
pub(crate) use json::{kind_json, property_json};
pub(crate) use kind::{kind_page, kinds_page};
pub(crate) use lookup::{find_kind, find_property};
pub(crate) use markdown::Markdown;
pub(crate) use property::property_page;
pub(crate) use terminal::Terminal;
pub(crate) use value::{Overview, argument, bare, value_json};
