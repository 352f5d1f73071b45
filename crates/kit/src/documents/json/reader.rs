//! Parsing JSON with the position of each value.

use std::ops::Range;

use jsonc_parser::ast::{ObjectProp, Value as Ast};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use uphold_resource::{Result, Value};

use crate::documents::key_path::{Body, Entry, Node, Style};
use crate::documents::not_understood;

/// Parses a text; none if it is empty. The parser refuses excessive nesting.
///
/// # Errors
/// The syntax error, with line and column. Comments and trailing commas are allowed.
pub(crate) fn read(text: &str) -> Result<Option<Node>> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options());
    let failed = |why: String, at: usize| {
        let (line, column) = place(text, at);
        not_understood("JSON", line, column, &why)
    };
    let root = parsed.map_err(|error| failed(error.kind().to_string(), error.range().start))?.value;
    root.map(|root| node(&root)).transpose().map_err(|(why, at)| failed(why, at))
}

/// Standard JSON, other than comments and trailing commas.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Line and column, counted from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

type Failure = (String, usize);

fn node(ast: &Ast<'_>) -> Result<Node, Failure> {
    let body = match ast {
        Ast::StringLit(text) => Body::Scalar(Value::text(&*text.value)),
        Ast::NumberLit(number) => Body::Scalar(
            self::number(number.value)
                .ok_or_else(|| (format!("{} is too large for a number", number.value), number.range.start))?,
        ),
        Ast::BooleanLit(bool) => Body::Scalar(Value::Bool(bool.value)),
        Ast::NullKeyword(_) => Body::Scalar(Value::Null),
        Ast::Array(array) => {
            Body::List(array.elements.iter().map(node).collect::<Result<_, _>>()?, Style::Flow)
        }
        Ast::Object(object) => {
            let entries: Vec<Entry> = object.properties.iter().map(entry).collect::<Result<_, _>>()?;
            unique(&entries)?;
            Body::Map(entries, Style::Flow)
        }
    };
    Ok(Node { span: span(ast), body })
}

fn entry(property: &ObjectProp<'_>) -> Result<Entry, Failure> {
    let name = property.name.range();
    Ok(Entry {
        key: property.name.as_str().to_owned(),
        key_span: name.start..name.end,
        value: node(&property.value)?,
    })
}

/// A duplicate key is refused: programs differ in which one they use.
fn unique(entries: &[Entry]) -> Result<(), Failure> {
    let mut seen = std::collections::BTreeSet::new();
    match entries.iter().find(|entry| !seen.insert(&entry.key)) {
        Some(entry) => Err((format!("the key {:?} occurs twice", entry.key), entry.key_span.start)),
        None => Ok(()),
    }
}

fn span(ast: &Ast<'_>) -> Range<usize> {
    let range = ast.range();
    range.start..range.end
}

fn number(text: &str) -> Option<Value> {
    let float = || text.parse().ok().filter(|float: &f64| float.is_finite()).map(Value::Float);
    text.parse().ok().map(Value::Int).or_else(float)
}
