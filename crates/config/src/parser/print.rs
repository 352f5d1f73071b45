//! Trees printed as text, for tests.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_model::{Diagnostic, Place, Sources};

use super::cursor::Parser;
use crate::source_code::SourceCode;
use crate::tree::{Children, Content, Gathered, Literal, Node, NodeId, Tree, TreeView};

/// Parses a text.
pub(super) fn parsed(text: &str) -> (Sources, Arc<SourceCode>, Tree, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let id = sources.add("a.hcl", text);
    let code = Arc::new(SourceCode::of(&sources, id, PathBuf::new()));
    let (tree, problems) = Parser::new(&code.text, id).parse_whole();
    (sources, code, tree, problems)
}

/// The tree of `v = text`, or the summaries of its problems.
pub(super) fn printed(text: &str) -> String {
    printed_file(&format!("v = {text}\n"))
}

/// The tree of the only attribute of a file, or the summaries of its problems.
pub(super) fn printed_file(text: &str) -> String {
    let (_, code, tree, problems) = parsed(text);
    if !problems.is_empty() {
        return format!("! {}", problems.iter().map(Diagnostic::summary).collect::<Vec<_>>().join("; "));
    }
    let passage = TreeView::new(&code, &tree);
    match passage.items(tree.root).next().map(|item| item.content) {
        Some(Content::Expression(node)) if tree.root.len() == 1 => node_text(passage, node),
        _ => format!("{} items", tree.root.len()),
    }
}

/// Checks the problems of `v = text`: `line:column summary | detail | fix`, and related places.
#[track_caller]
pub(super) fn check_problems(text: &str, expected: &str) {
    let (sources, _, _, problems) = parsed(&format!("v = {text}\n"));
    let lines = problems.iter().map(|problem| problem_text(&sources, problem));
    assert_eq!(lines.collect::<Vec<_>>().join("\n"), expected, "{text}");
}

fn problem_text(sources: &Sources, problem: &Diagnostic) -> String {
    let at = |place: Place| {
        let at = sources.line_column(place);
        format!("{}:{}", at.line, at.column)
    };
    let (place, fix) = (problem.place.map(at), problem.fix.as_deref());
    let mut line = format!(
        "{} {} | {} | {}",
        place.unwrap_or_default(),
        problem.summary(),
        problem.detail,
        fix.unwrap_or("-")
    );
    for related in &problem.related {
        line += &format!(" | {} {}", at(related.place), related.label);
    }
    line
}

fn all(tree: TreeView<'_>, nodes: Children<'_>) -> String {
    nodes.iter().map(|node| format!(" {}", node_text(tree, node))).collect()
}

/// The node as an S-expression.
pub(super) fn node_text(tree: TreeView<'_>, id: NodeId) -> String {
    let text = |id: NodeId| node_text(tree, id);
    match tree.node(id) {
        Node::Known(Literal::Text(text)) => format!("{text:?}"),
        Node::Known(literal) => literal.value().to_string(),
        Node::Name(name) => name.to_owned(),
        Node::Field { of, name } => format!("(. {} {name})", text(of)),
        Node::Index { of, index } => format!("([] {} {})", text(of), text(index)),
        Node::Splat { of, each } => format!("(* {} {})", text(of), text(each)),
        Node::Element => "@".into(),
        Node::Not(of) => format!("(! {})", text(of)),
        Node::Negative(of) => format!("(- {})", text(of)),
        Node::Binary { operator, left, right } => {
            format!("({operator:?} {} {})", text(left), text(right))
        }
        Node::Conditional { condition, yes, no } => {
            format!("(? {} {} {})", text(condition), text(yes), text(no))
        }
        Node::Call(call) => {
            let spread = if call.spread { "..." } else { "" };
            format!("(call {}{}{spread})", call.function, all(tree, call.arguments))
        }
        Node::For(id) => loop_text(tree, id),
        Node::Template(parts) => format!("(text{})", all(tree, parts)),
        Node::List(elements) => format!("(list{})", all(tree, elements)),
        Node::Object(entries) => format!("(object{})", all(tree, entries)),
    }
}

fn loop_text(tree: TreeView<'_>, id: NodeId) -> String {
    let each = tree.loop_(id);
    let key = each.key.map_or(String::new(), |key| format!("{} ", tree.written(key)));
    let collection = node_text(tree, each.collection);
    let result = match each.result {
        Gathered::List(node) => format!("[{}]", node_text(tree, node)),
        Gathered::Text(node) => node_text(tree, node),
        Gathered::Object { key, value } => {
            format!("{{{} {}}}", node_text(tree, key), node_text(tree, value))
        }
        Gathered::Grouped { key, value } => {
            format!("{{{} {}...}}", node_text(tree, key), node_text(tree, value))
        }
    };
    let condition = each.condition.map_or(String::new(), |node| format!(" if {}", node_text(tree, node)));
    format!("(for {key}{} {collection} {result}{condition})", tree.written(each.value))
}
