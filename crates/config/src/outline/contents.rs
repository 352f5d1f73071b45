//! The definitions and references of a text.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use uphold_model::{Name, Sources};

use crate::module::LARGEST;
use crate::parser::Parser;
use crate::source_code::SourceCode;
use crate::token::Span;
use crate::tree::{Content, Gathered, Item, Items, Label, Labels, Literal, Loop, Node, NodeId, TreeView};

/// The definitions and references of one text. All ranges are bytes of the text.
#[derive(Debug, Default)]
pub struct Outline {
    /// All blocks in written order, each before those inside it.
    pub blocks: Vec<OutlineBlock>,
    /// Every path in its expressions, such as `file["/etc/motd"].mode`; the first step is the root. Paths that start
    /// with a loop variable are left out.
    pub paths: Vec<Vec<PathStep>>,
}

/// A word and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word without quotes.
    pub text: Name,
    /// Its range, including quotes.
    pub range: Range<usize>,
}

/// A block.
#[derive(Debug)]
pub struct OutlineBlock {
    /// Its keyword.
    pub kind: Word,
    /// Its labels.
    pub labels: Vec<Word>,
    /// From its keyword to its `}`; to its `{` if it is not closed.
    pub range: Range<usize>,
    /// The index of the enclosing block.
    pub parent: Option<usize>,
    /// Its attributes, including those whose values cannot be parsed.
    pub attributes: Vec<OutlineAttribute>,
}

/// An attribute.
#[derive(Debug)]
pub struct OutlineAttribute {
    /// Its name.
    pub name: Word,
    /// The range of its value, as far as it can be parsed.
    pub value: Range<usize>,
    /// Its value, if that is a plain string.
    pub text: Option<Name>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The name; none if it is computed.
    pub name: Option<Name>,
    /// The range of the name, including quotes.
    pub range: Range<usize>,
    /// Whether it is written in brackets.
    pub index: bool,
}

/// The outline of a text, even if it has errors. Takes time linear in the text.
pub fn outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    if text.len() > LARGEST {
        return outline;
    }
    let mut sources = Sources::default();
    let id = sources.add("", text);
    let code = Arc::new(SourceCode::of(&sources, id, PathBuf::new()));
    Parser::new(&code.text, id).parse(|tree| {
        items(TreeView::new(&code, &tree), tree.root, None, &mut outline);
    });
    outline
}

impl Outline {
    /// The block whose keyword starts here.
    pub fn block_at(&self, start: usize) -> Option<&OutlineBlock> {
        let found = self.blocks.binary_search_by_key(&start, |block| block.kind.range.start);
        found.ok().map(|at| &self.blocks[at])
    }
}

impl OutlineBlock {
    /// The attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&OutlineAttribute> {
        self.attributes.iter().find(|attribute| &*attribute.name.text == name)
    }
}

/// Recursive; the parser limits the nesting.
fn items(tree: TreeView<'_>, slice: Items, parent: Option<usize>, outline: &mut Outline) {
    for item in tree.items(slice) {
        match item.content {
            Content::Block { labels, items: inner } => {
                let number = outline.blocks.len();
                outline.blocks.push(block(tree, &item, labels, parent));
                items(tree, inner, Some(number), outline);
            }
            Content::Expression(node) => {
                Uses::new(tree, &mut outline.paths).node(node);
                add(outline, parent, attribute(tree, &item));
            }
            Content::Broken => add(outline, parent, attribute(tree, &item)),
        }
    }
}

fn add(outline: &mut Outline, block: Option<usize>, attribute: OutlineAttribute) {
    if let Some(block) = block {
        outline.blocks[block].attributes.push(attribute);
    }
}

fn block(tree: TreeView<'_>, item: &Item<'_>, labels: Labels, parent: Option<usize>) -> OutlineBlock {
    let label = |label: Label<'_>| word(label.text, label.span);
    OutlineBlock {
        kind: word(item.key, item.name),
        labels: tree.labels(labels).map(label).collect(),
        range: item.name.to(item.value).range(),
        parent,
        attributes: Vec::new(),
    }
}

fn attribute(tree: TreeView<'_>, item: &Item<'_>) -> OutlineAttribute {
    let text = match item.content {
        Content::Expression(node) => match tree.node(node) {
            Node::Known(Literal::Text(text)) => Some(text.into()),
            _ => None,
        },
        _ => None,
    };
    OutlineAttribute { name: word(item.key, item.name), value: item.value.range(), text }
}

fn word(text: &str, span: Span) -> Word {
    Word { text: text.into(), range: span.range() }
}

/// Collects paths.
pub(super) struct Uses<'a> {
    tree: TreeView<'a>,
    /// Variables of the enclosing loops.
    variables: Vec<&'a str>,
    found: &'a mut Vec<Vec<PathStep>>,
}

impl<'a> Uses<'a> {
    pub(super) fn new(tree: TreeView<'a>, found: &'a mut Vec<Vec<PathStep>>) -> Self {
        Self { tree, variables: Vec::new(), found }
    }

    /// Collects all paths in a node. Recursive; the parser limits the depth.
    pub(super) fn node(&mut self, id: NodeId) {
        match self.tree.node(id) {
            Node::Known(_) | Node::Element => {}
            Node::Name(_) | Node::Field { .. } | Node::Index { .. } => self.path(id),
            Node::Not(of) | Node::Negative(of) => self.node(of),
            Node::Splat { of, each } => self.all([of, each]),
            Node::Binary { .. } => {
                let mut operands = vec![id];
                while let Some(id) = operands.pop() {
                    match self.tree.node(id) {
                        Node::Binary { left, right, .. } => operands.extend([right, left]),
                        _ => self.node(id),
                    }
                }
            }
            Node::Conditional { condition, yes, no } => self.all([condition, yes, no]),
            Node::Call(call) => self.all(call.arguments.iter()),
            Node::For(id) => self.loop_(&self.tree.loop_(id)),
            Node::Template(parts) | Node::List(parts) | Node::Object(parts) => self.all(parts.iter()),
        }
    }

    fn all(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        nodes.into_iter().for_each(|node| self.node(node));
    }

    fn loop_(&mut self, each: &Loop) {
        self.node(each.collection);
        let outside = self.variables.len();
        let variables = each.key.iter().chain([&each.value]);
        self.variables.extend(variables.map(|variable| self.tree.written(*variable)));
        self.all(each.condition);
        match each.result {
            Gathered::List(node) | Gathered::Text(node) => self.node(node),
            Gathered::Object { key, value } | Gathered::Grouped { key, value } => self.all([key, value]),
        }
        self.variables.truncate(outside);
    }

    fn path(&mut self, id: NodeId) {
        let mut steps = Vec::new();
        let mut at = id;
        loop {
            at = match self.tree.node(at) {
                Node::Field { of, name } => {
                    steps.push(self.field(at, name));
                    of
                }
                Node::Index { of, index } => {
                    steps.push(self.index(index));
                    of
                }
                _ => break,
            };
        }
        let Node::Name(root) = self.tree.node(at) else { return self.node(at) };
        if !self.variables.contains(&root) {
            let range = self.tree.span(at).range();
            steps.push(PathStep { name: Some(root.into()), range, index: false });
            steps.reverse();
            self.found.push(steps);
        }
    }

    /// The span of a field covers the whole path up to it.
    fn field(&self, at: NodeId, name: &str) -> PathStep {
        let end = self.tree.span(at).range().end;
        PathStep { name: Some(name.into()), range: end.saturating_sub(name.len())..end, index: false }
    }

    fn index(&mut self, index: NodeId) -> PathStep {
        let name = match self.tree.node(index) {
            Node::Known(Literal::Text(text)) => Some(text.into()),
            Node::Known(Literal::Int(number)) => Some(number.to_string().into()),
            _ => {
                self.node(index);
                None
            }
        };
        PathStep { name, range: self.tree.span(index).range(), index: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(text: &str) -> String {
        let outline = outline(text);
        let mut lines = Vec::new();
        for block in &outline.blocks {
            let labels: Vec<&str> = block.labels.iter().map(|label| &text[label.range.clone()]).collect();
            let names = block.attributes.iter().map(|attribute| {
                let plain = attribute.text.as_deref().map(|text| format!(":{text}")).unwrap_or_default();
                format!("{}={}{plain}", attribute.name.text, &text[attribute.value.clone()])
            });
            let parent = block.parent.map(|parent| format!("{parent}>")).unwrap_or_default();
            lines.push(format!("{parent}{} {labels:?} {:?}", block.kind.text, names.collect::<Vec<_>>()));
        }
        for path in &outline.paths {
            let step = |step: &PathStep| {
                let name = step.name.as_deref().unwrap_or("?");
                format!("{name}@{}{}", &text[step.range.clone()], if step.index { "!" } else { "" })
            };
            lines.push(path.iter().map(step).collect::<Vec<_>>().join(" "));
        }
        lines.join("\n")
    }

    #[test]
    fn outlines() {
        let check = |text: &str, expected: &str| assert_eq!(print(text), expected, "{text}");
        check("", "");
        check(
            "file \"/x\" {\n  mode = \"0644\"\n  a = 1 +\n}\nlocals {\n  b = [2]\n}",
            "file [\"\\\"/x\\\"\"] [\"mode=\\\"0644\\\":0644\", \"a=1 +\"]\nlocals [] [\"b=[2]\"]",
        );
        check("sequence {\n  log a {}\n}", "sequence [] []\n0>log [\"a\"] []");
        check(
            "log a {\n  m = \"${file[\"/x\"].mode} ${local.b[param.c].d}\"\n}",
            "log [\"a\"] [\"m=\\\"${file[\\\"/x\\\"].mode} ${local.b[param.c].d}\\\"\"]\n\
             file@file /x@\"/x\"! mode@mode\nparam@param c@c\nlocal@local b@b ?@param.c! d@d",
        );
        check(
            "log a {\n  m = [for f in file.x[*].a : upper(f.y, each.key)]\n}",
            "log [\"a\"] [\"m=[for f in file.x[*].a : upper(f.y, each.key)]\"]\n\
             file@file x@x\neach@each key@key",
        );
        check("log a {\n  m = file.\n  n = 1\n}", "log [\"a\"] [\"m=file.\", \"n=1\"]");
    }
}
