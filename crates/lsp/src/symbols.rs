//! The blocks of a file, for lists and for jumping.

use gen_lsp_types::{DocumentSymbol, SymbolKind};
use uphold::OutlineBlock;

use crate::sheet::Sheet;

/// All blocks, those inside others below them.
pub(crate) fn symbols(sheet: &Sheet) -> Vec<DocumentSymbol> {
    let blocks = &sheet.outline().blocks;
    let mut symbols: Vec<Option<DocumentSymbol>> =
        blocks.iter().map(|block| Some(symbol(sheet, block))).collect();
    // Inner blocks come after outer ones, so that each is whole when it is moved.
    for at in (0..blocks.len()).rev() {
        let Some(parent) = blocks[at].parent else { continue };
        let inner = symbols[at].take();
        if let Some(outer) = &mut symbols[parent] {
            outer.children.get_or_insert_default().extend(inner);
        }
    }
    let mut symbols: Vec<DocumentSymbol> = symbols.into_iter().flatten().collect();
    symbols.iter_mut().for_each(in_written_order);
    symbols
}

/// Children were added from the last to the first. Nesting is limited by the parser.
fn in_written_order(symbol: &mut DocumentSymbol) {
    if let Some(children) = &mut symbol.children {
        children.sort_by_key(|child| child.range.start);
        children.iter_mut().for_each(in_written_order);
    }
}

fn symbol(sheet: &Sheet, block: &OutlineBlock) -> DocumentSymbol {
    let labels = block.labels.iter().map(|label| &*label.text);
    let name: Vec<&str> = std::iter::once(&*block.kind.text).chain(labels).collect();
    let last = block.labels.last().unwrap_or(&block.kind);
    let selection = block.kind.range.start..last.range.end;
    let whole = block.range.start..block.range.end.max(selection.end);
    DocumentSymbol {
        name: name.join(" "),
        kind: kind(&block.kind.text),
        range: sheet.range(&whole),
        selection_range: sheet.range(&selection),
        children: Some(attributes(sheet, block)),
        ..nameless()
    }
}

/// Locals are names of their own.
fn attributes(sheet: &Sheet, block: &OutlineBlock) -> Vec<DocumentSymbol> {
    if &*block.kind.text != "locals" {
        return Vec::new();
    }
    let attributes = block.attributes.iter().map(|attribute| {
        let range = attribute.name.range.start..attribute.value.end.max(attribute.name.range.end);
        DocumentSymbol {
            name: attribute.name.text.to_string(),
            range: sheet.range(&range),
            selection_range: sheet.range(&attribute.name.range),
            ..nameless()
        }
    });
    attributes.collect()
}

#[expect(deprecated, reason = "the type has a field that the protocol gave up")]
fn nameless() -> DocumentSymbol {
    DocumentSymbol {
        name: String::new(),
        detail: None,
        kind: SymbolKind::Constant,
        tags: None,
        deprecated: None,
        range: gen_lsp_types::Range::default(),
        selection_range: gen_lsp_types::Range::default(),
        children: None,
    }
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
