//! Nodes: expressions, as they are read from a tree.

use uphold_model::Value;

use crate::token::Span;

/// An expression in a tree: the index of its first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(super) u32);

/// An expression. Children come before their parents in a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node<'t> {
    Known(Literal<'t>),
    /// A name: a loop variable, a kind, `local` and so on. Alone, it may be a word such as `remove`.
    Name(&'t str),
    /// `of.name`. Its span covers both.
    Field {
        of: NodeId,
        name: &'t str,
    },
    /// `of[index]`, or `of.0`.
    Index {
        of: NodeId,
        index: NodeId,
    },
    /// `of[*].…` or `of.*.…`: `each` is evaluated for every element, which is `Element` in it.
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
    Call(Call<'t>),
    /// A loop, which is decoded separately because it is large.
    For(NodeId),
    /// A string with interpolated parts. With a single part, it is the value of that part, of any type.
    Template(Children<'t>),
    List(Children<'t>),
    /// Keys and values, alternating.
    Object(Children<'t>),
}

/// A literal value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Literal<'t> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'t str),
}

impl Literal<'_> {
    /// The value. A string is copied.
    pub(crate) fn value(self) -> Value {
        match self {
            Literal::Null => Value::Null,
            Literal::Bool(bool) => Value::Bool(bool),
            Literal::Int(int) => Value::Int(int),
            Literal::Float(float) => Value::Float(float),
            Literal::Text(text) => Value::text(text),
        }
    }
}

/// A binary operator.
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

impl Operator {
    /// In the order of their discriminants.
    pub(super) const ALL: [Operator; 13] = [
        Operator::Or,
        Operator::And,
        Operator::Equal,
        Operator::Unequal,
        Operator::Less,
        Operator::LessOrEqual,
        Operator::Greater,
        Operator::GreaterOrEqual,
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
        Operator::Remainder,
    ];
}

/// `function(arguments)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'t> {
    pub(crate) function: &'t str,
    pub(crate) function_span: Span,
    pub(crate) arguments: Children<'t>,
    /// `f(a, b...)`: the last argument is a list that is expanded.
    pub(crate) spread: bool,
}

/// `for key, value in collection`, in a list, an object or a template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    /// The spans of the variables.
    pub(crate) key: Option<Span>,
    pub(crate) value: Span,
    pub(crate) collection: NodeId,
    pub(crate) result: Gathered,
    /// The condition after `if`.
    pub(crate) condition: Option<NodeId>,
}

/// The result of a loop.
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

/// The children of an expression, in written order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Children<'t>(pub(super) &'t [u32]);

impl<'t> Children<'t> {
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + 't {
        self.0.iter().map(|word| NodeId(*word))
    }

    pub(crate) fn get(self, number: usize) -> Option<NodeId> {
        self.0.get(number).map(|word| NodeId(*word))
    }

    pub(crate) fn last(self) -> Option<NodeId> {
        self.0.last().map(|word| NodeId(*word))
    }

    /// The only child, if there is one.
    pub(crate) fn single(self) -> Option<NodeId> {
        match self.0 {
            [only] => Some(NodeId(*only)),
            _ => None,
        }
    }

    /// Keys and values.
    pub(crate) fn pairs(self) -> impl Iterator<Item = (NodeId, NodeId)> + 't {
        self.0.as_chunks::<2>().0.iter().map(|[key, value]| (NodeId(*key), NodeId(*value)))
    }
}
