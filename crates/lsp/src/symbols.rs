//! The blocks of a file, for lists and for jumping.

use serde_json::{Value as Json, json};
use uphold::OutlineBlock;

use crate::sheet::Sheet;

/// What a symbol is, as the protocol numbers it.
#[derive(Clone, Copy)]
enum Sort {
    Module = 2,
    Namespace = 3,
    Class = 5,
    Property = 7,
    Constant = 14,
    Variable = 13,
    Object = 19,
    Event = 24,
}

/// All blocks, those inside others below them.
pub(crate) fn symbols(sheet: &Sheet) -> Json {
    let blocks = &sheet.outline().blocks;
    let mut symbols: Vec<Json> = blocks.iter().map(|block| symbol(sheet, block)).collect();
    // Inner blocks come after outer ones, so that each is whole when it is moved.
    for at in (0..blocks.len()).rev() {
        if let Some(parent) = blocks[at].parent {
            let inner = symbols[at].take();
            if let Some(children) = symbols[parent]["children"].as_array_mut() {
                children.push(inner);
            }
        }
    }
    for symbol in &mut symbols {
        in_written_order(symbol);
    }
    symbols.retain(|symbol| !symbol.is_null());
    Json::Array(symbols)
}

/// Children were added from the last to the first. Nesting is limited by the parser.
fn in_written_order(symbol: &mut Json) {
    if let Some(children) = symbol.get_mut("children").and_then(Json::as_array_mut) {
        children.sort_by_key(|child| {
            let number = |name: &str| child.pointer(&format!("/range/start/{name}")).and_then(Json::as_u64);
            (number("line"), number("character"))
        });
        children.iter_mut().for_each(in_written_order);
    }
}

fn symbol(sheet: &Sheet, block: &OutlineBlock) -> Json {
    let labels: Vec<&str> = block.labels.iter().map(|label| &*label.text).collect();
    let (name, detail) = match labels.is_empty() {
        true => (&*block.kind.text, String::new()),
        false => (&*block.kind.text, labels.join(" ")),
    };
    let name = if detail.is_empty() { name.to_owned() } else { format!("{name} {detail}") };
    let last = block.labels.last().unwrap_or(&block.kind);
    let selection = block.kind.range.start..last.range.end;
    let whole = block.range.start..block.range.end.max(selection.end);
    json!({
        "name": name,
        "kind": sort(&block.kind.text) as u8,
        "range": sheet.range(&whole),
        "selectionRange": sheet.range(&selection),
        "children": attributes(sheet, block),
    })
}

/// Locals are names of their own.
fn attributes(sheet: &Sheet, block: &OutlineBlock) -> Vec<Json> {
    if &*block.kind.text != "locals" {
        return Vec::new();
    }
    let attributes = block.attributes.iter().map(|attribute| {
        let range = attribute.name.range.start..attribute.value.end.max(attribute.name.range.end);
        json!({
            "name": &*attribute.name.text,
            "kind": Sort::Constant as u8,
            "range": sheet.range(&range),
            "selectionRange": sheet.range(&attribute.name.range),
        })
    });
    attributes.collect()
}

fn sort(kind: &str) -> Sort {
    match kind {
        "module" => Sort::Module,
        "sequence" | "parallel" | "locals" => Sort::Namespace,
        "kind" => Sort::Class,
        "output" => Sort::Property,
        "param" => Sort::Variable,
        "trigger" | "edit" => Sort::Event,
        _ => Sort::Object,
    }
}
