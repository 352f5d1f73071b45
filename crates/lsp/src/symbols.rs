//! The symbols of a file: its blocks.

use gen_lsp_types::{DocumentSymbol, SymbolKind};
use uphold::OutlineBlock;

use crate::document::Document;

/// All blocks, nested as they are in the file.
pub(crate) fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let blocks = &document.outline().blocks;
    let mut symbols: Vec<Option<DocumentSymbol>> =
        blocks.iter().map(|block| Some(symbol(document, block))).collect();
    // Inner blocks follow outer ones, so that a block is complete when it is moved into its parent.
    for (at, block) in blocks.iter().enumerate().rev() {
        if let Some(children) = symbols[at].as_mut().and_then(|symbol| symbol.children.as_mut()) {
            children.sort_by_key(|child| child.range.start);
        }
        let Some(parent) = block.parent else { continue };
        let inner = symbols[at].take();
        if let Some(outer) = &mut symbols[parent] {
            outer.children.get_or_insert_default().extend(inner);
        }
    }
    symbols.into_iter().flatten().collect()
}

fn symbol(document: &Document, block: &OutlineBlock) -> DocumentSymbol {
    let labels = block.labels.iter().map(|label| &*label.text);
    let name: Vec<&str> = std::iter::once(&*block.kind.text).chain(labels).collect();
    let last = block.labels.last().unwrap_or(&block.kind);
    let selection = block.kind.range.start..last.range.end;
    let whole = block.range.start..block.range.end.max(selection.end);
    let children = Some(attributes(document, block));
    let (name, kind) = (name.join(" "), kind(&block.kind.text));
    let (range, selection) = (document.range(&whole), document.range(&selection));
    DocumentSymbol::new(name, None, kind, None, None, range, selection, children)
}

/// Locals are symbols of their own.
fn attributes(document: &Document, block: &OutlineBlock) -> Vec<DocumentSymbol> {
    if &*block.kind.text != "locals" {
        return Vec::new();
    }
    let attributes = block.attributes.iter().map(|attribute| {
        let name = &attribute.name;
        let range = document.range(&(name.range.start..attribute.value.end.max(name.range.end)));
        let selection = document.range(&name.range);
        let text = name.text.to_string();
        DocumentSymbol::new(text, None, SymbolKind::Constant, None, None, range, selection, None)
    });
    attributes.collect()
}

fn kind(block: &str) -> SymbolKind {
    match block {
        "module" => SymbolKind::Module,
        "sequence" | "parallel" | "locals" => SymbolKind::Namespace,
        "kind" => SymbolKind::Class,
        "output" => SymbolKind::Property,
        "param" => SymbolKind::Variable,
        "trigger" | "edit" => SymbolKind::Event,
        _ => SymbolKind::Object,
    }
}
