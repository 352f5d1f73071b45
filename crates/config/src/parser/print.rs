//! Trees as text, for tables.

use uphold_model::{Diagnostic, Name, Place, Sources, Value};

use super::cursor::Parser;
use crate::names::Names;
use crate::tree::{Content, Gathered, Item, Node, NodeId, Tree};

/// Reads a text.
pub(super) fn parsed(text: &str) -> (Sources, Tree, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let id = sources.add("a.hcl", text);
    let mut names = Names::default();
    let (tree, problems) = Parser::new(&sources.get(id).text, id, &mut names).parse();
    (sources, tree, problems)
}

/// The tree of `v = text`, or the summaries of what is wrong with it.
pub(super) fn printed(text: &str) -> String {
    printed_file(&format!("v = {text}\n"))
}

/// The tree of the only attribute of a file, or the summaries of what is wrong with it.
pub(super) fn printed_file(text: &str) -> String {
    let (_, tree, problems) = parsed(text);
    if !problems.is_empty() {
        return format!(
            "! {}",
            problems.iter().map(|problem| problem.summary).collect::<Vec<_>>().join("; ")
        );
    }
    match tree.items(tree.root) {
        [Item { content: Content::Expression(node), .. }] => node_text(&tree, *node),
        items => format!("{} items", items.len()),
    }
}

/// `v = text` has these problems: `line:column summary | detail | fix`, and related places.
#[track_caller]
pub(super) fn check_problems(text: &str, expected: &str) {
    let (sources, _, problems) = parsed(&format!("v = {text}\n"));
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
        problem.summary,
        problem.detail,
        fix.unwrap_or("-")
    );
    for related in &problem.related {
        line += &format!(" | {} {}", at(related.place), related.label);
    }
    line
}

fn all(tree: &Tree, nodes: &[NodeId]) -> String {
    nodes.iter().map(|node| format!(" {}", node_text(tree, *node))).collect()
}

/// The node as an S-expression.
pub(super) fn node_text(tree: &Tree, id: NodeId) -> String {
    let text = |id: NodeId| node_text(tree, id);
    match tree.node(id) {
        Node::Known(Value::Text(text)) => format!("{:?}", &**text),
        Node::Known(value) => value.to_string(),
        Node::Name(name) => name.to_string(),
        Node::Field { of, name } => format!("(. {} {name})", text(*of)),
        Node::Index { of, index } => format!("([] {} {})", text(*of), text(*index)),
        Node::Splat { of, each } => format!("(* {} {})", text(*of), text(*each)),
        Node::Element => "@".into(),
        Node::Not(of) => format!("(! {})", text(*of)),
        Node::Negative(of) => format!("(- {})", text(*of)),
        Node::Binary { operator, left, right } => {
            format!("({operator:?} {} {})", text(*left), text(*right))
        }
        Node::Conditional { condition, yes, no } => {
            format!("(? {} {} {})", text(*condition), text(*yes), text(*no))
        }
        Node::Call(number) => {
            let call = tree.call(*number);
            let spread = if call.spread { "..." } else { "" };
            format!("(call {}{}{spread})", call.function, all(tree, tree.children(call.arguments)))
        }
        Node::For(number) => loop_text(tree, *number),
        Node::Template(slice) => format!("(text{})", all(tree, tree.children(*slice))),
        Node::List(slice) => format!("(list{})", all(tree, tree.children(*slice))),
        Node::Object(slice) => format!("(object{})", all(tree, tree.children(*slice))),
    }
}

fn loop_text(tree: &Tree, number: u32) -> String {
    let each = tree.loop_(number);
    let key: Option<&Name> = each.key.as_ref().map(|key| &key.name);
    let key = key.map_or(String::new(), |key| format!("{key} "));
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
    format!("(for {key}{} {collection} {result}{condition})", each.value.name)
}
