//! The tree: what the parser makes of one source, in flat lists with numbers for links.

use std::ops::Range;

use uphold_model::{Name, SourceId, Value};

use crate::token::Span;

/// Number of a node in [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// Its place in the list of nodes.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of one of the tree's lists.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    start: u32,
    end: u32,
}

impl Slice {
    /// From `start` to `end`. Lists never outgrow the text, which fits into 32 bits.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An expression. Children stand before their parents in the list of nodes.
#[derive(Debug)]
pub(crate) enum Node {
    /// A literal.
    Known(Value),
    /// A name: the variable of a loop, a kind, `local` and so on. On its own it may be a word such as `remove`.
    Name(Name),
    /// `of.name`. Its span is all of it.
    Field {
        of: NodeId,
        name: Name,
    },
    /// `of[index]`, or `of.0`.
    Index {
        of: NodeId,
        index: NodeId,
    },
    /// `of[*].…` or `of.*.…`: `each` for every element, in which `Element` is the element.
    Splat {
        of: NodeId,
        each: NodeId,
    },
    Element,
    /// `!x`
    Not(NodeId),
    /// `-x`, unless it is a literal.
    Negative(NodeId),
    Binary {
        operator: Operator,
        left: NodeId,
        right: NodeId,
    },
    /// `condition ? yes : no`, or `%{ if condition }yes%{ else }no%{ endif }`.
    Conditional {
        condition: NodeId,
        yes: NodeId,
        no: NodeId,
    },
    /// A number in the list of calls.
    Call(u32),
    /// A number in the list of loops.
    For(u32),
    /// Text with parts to be filled in. With a single part it is the value of that part, of whatever type.
    Template(Slice),
    List(Slice),
    /// Keys and values by turns.
    Object(Slice),
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// `function(arguments)`.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) function: Name,
    pub(crate) function_span: Span,
    pub(crate) arguments: Slice,
    /// `f(a, b...)`: the last argument is a list of arguments.
    pub(crate) spread: bool,
}

/// `for key, value in collection`, in a list, an object or a template.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) key: Option<Variable>,
    pub(crate) value: Variable,
    pub(crate) collection: NodeId,
    pub(crate) result: Gathered,
    /// What follows `if`.
    pub(crate) condition: Option<NodeId>,
}

/// The variable of a loop.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) span: Span,
}

/// What a loop makes of its elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gathered {
    /// `[for … : element]`
    List(NodeId),
    /// `{for … : key => value}`
    Object { key: NodeId, value: NodeId },
    /// `{for … : key => value...}`: a list for each key.
    Grouped { key: NodeId, value: NodeId },
    /// `%{ for … }text%{ endfor }`
    Text(NodeId),
}

/// A line or a block of a body.
#[derive(Debug)]
pub(crate) struct Item {
    /// The attribute's name or the block's kind.
    pub(crate) key: Name,
    /// Where the name stands.
    pub(crate) name: Span,
    /// Where the value stands: the expression, or the block from `{` to `}`.
    pub(crate) value: Span,
    pub(crate) content: Content,
}

/// What an item is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Expression(NodeId),
    Block {
        labels: Slice,
        items: Slice,
    },
    /// An attribute whose value could not be read. That was reported.
    Broken,
}

/// The label of a block.
#[derive(Debug)]
pub(crate) struct Label {
    pub(crate) text: Name,
    pub(crate) span: Span,
}

/// One source, parsed. Children of one parent stand side by side in their list.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) source: SourceId,
    nodes: Vec<Node>,
    spans: Vec<Span>,
    children: Vec<NodeId>,
    items: Vec<Item>,
    labels: Vec<Label>,
    /// The items outside all blocks.
    pub(crate) root: Slice,
    calls: Vec<Call>,
    loops: Vec<Loop>,
}

impl Tree {
    /// Nothing of `source` yet. There is room for what a text of this length mostly holds: lists that grow are copied
    /// again and again, and memory that is never touched costs nothing.
    pub(crate) fn new(source: SourceId, length: usize) -> Self {
        Self {
            source,
            nodes: Vec::with_capacity(length / 10),
            spans: Vec::with_capacity(length / 10),
            children: Vec::with_capacity(length / 20),
            items: Vec::with_capacity(length / 30),
            labels: Vec::with_capacity(length / 100),
            root: Slice::default(),
            calls: Vec::new(),
            loops: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, node: Node, span: Span) -> NodeId {
        self.nodes.push(node);
        self.spans.push(span);
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn add_call(&mut self, call: Call, span: Span) -> NodeId {
        self.calls.push(call);
        self.add(Node::Call(self.calls.len() as u32 - 1), span)
    }

    pub(crate) fn add_loop(&mut self, each: Loop, span: Span) -> NodeId {
        self.loops.push(each);
        self.add(Node::For(self.loops.len() as u32 - 1), span)
    }

    pub(crate) fn call(&self, number: u32) -> &Call {
        &self.calls[number as usize]
    }

    pub(crate) fn loop_(&self, number: u32) -> &Loop {
        &self.loops[number as usize]
    }

    pub(crate) fn add_children(&mut self, children: impl Iterator<Item = NodeId>) -> Slice {
        let start = self.children.len();
        self.children.extend(children);
        Slice::new(start, self.children.len())
    }

    pub(crate) fn add_items(&mut self, items: impl Iterator<Item = Item>) -> Slice {
        let start = self.items.len();
        self.items.extend(items);
        Slice::new(start, self.items.len())
    }

    pub(crate) fn add_label(&mut self, label: Label) {
        self.labels.push(label);
    }

    pub(crate) fn label_count(&self) -> usize {
        self.labels.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    pub(crate) fn children(&self, slice: Slice) -> &[NodeId] {
        &self.children[slice.range()]
    }

    pub(crate) fn items(&self, slice: Slice) -> &[Item] {
        &self.items[slice.range()]
    }

    pub(crate) fn item(&self, id: usize) -> &Item {
        &self.items[id]
    }

    pub(crate) fn labels(&self, slice: Slice) -> &[Label] {
        &self.labels[slice.range()]
    }
}
