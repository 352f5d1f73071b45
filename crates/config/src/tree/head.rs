//! The first word of an expression, which encodes its kind.

use super::node::Operator;
use crate::token::Span;

/// The kind of an expression. It decides which words follow its head and span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Null,
    False,
    True,
    /// A whole number that fits into a word.
    Small,
    /// Two words, the lower half first.
    Int,
    /// Two words, the lower half first.
    Float,
    /// A string that equals its source text.
    Plain,
    /// A string that equals its source text without the quotes.
    Quoted,
    /// A string that is not in the source: its range in the tree's `kept` text.
    Kept,
    Name,
    /// The operand. The head contains the length of the name, which ends with the expression.
    Field,
    /// The operand, and the start of the name.
    LongField,
    Index,
    Splat,
    Element,
    Not,
    Negative,
    /// The operator is in the head.
    Binary,
    Conditional,
    /// The end of the function's name, the number of arguments, and each argument. The head tells whether the last one
    /// is expanded.
    Call,
    /// See `TreeBuilder::add_loop`.
    For,
    /// The number of parts, and each part; the same for lists and objects.
    Template,
    List,
    Object,
}

impl NodeKind {
    /// In the order of their discriminants.
    const ALL: [NodeKind; 24] = [
        NodeKind::Null,
        NodeKind::False,
        NodeKind::True,
        NodeKind::Small,
        NodeKind::Int,
        NodeKind::Float,
        NodeKind::Plain,
        NodeKind::Quoted,
        NodeKind::Kept,
        NodeKind::Name,
        NodeKind::Field,
        NodeKind::LongField,
        NodeKind::Index,
        NodeKind::Splat,
        NodeKind::Element,
        NodeKind::Not,
        NodeKind::Negative,
        NodeKind::Binary,
        NodeKind::Conditional,
        NodeKind::Call,
        NodeKind::For,
        NodeKind::Template,
        NodeKind::List,
        NodeKind::Object,
    ];

    /// The kind of each possible first byte, so that the lookup cannot fail.
    const OF_BYTE: [NodeKind; 256] = {
        let mut sorts = [NodeKind::Null; 256];
        let mut number = 0;
        while number < NodeKind::ALL.len() {
            sorts[number] = NodeKind::ALL[number];
            number += 1;
        }
        sorts
    };

    /// Whether it is a literal string.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, NodeKind::Plain | NodeKind::Quoted | NodeKind::Kept)
    }
}

/// The first word: the kind, the depth of the tree, a detail, and the length of the source text, one byte each. The
/// second word is the start. The end is a third word only if the length does not fit, which is rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head(pub(super) u32);

/// Marks a length that does not fit.
const LONG: u8 = u8::MAX;

impl Head {
    pub(super) fn new(sort: NodeKind, depth: u8, detail: u8) -> Self {
        Self(u32::from_le_bytes([sort as u8, depth, detail, 0]))
    }

    /// The same head for an expression with this span.
    pub(super) fn at(self, span: Span) -> Self {
        let [sort, depth, detail, _] = self.0.to_le_bytes();
        let length = u8::try_from(span.end - span.start).unwrap_or(LONG);
        Self(u32::from_le_bytes([sort, depth, detail, length]))
    }

    /// The length of the source text; none if it does not fit.
    pub(super) fn length(self) -> Option<u32> {
        let length = self.0.to_le_bytes()[3];
        (length != LONG).then_some(u32::from(length))
    }

    /// The number of words of the head and the span.
    pub(super) fn words(self) -> u32 {
        if self.length().is_some() { 2 } else { 3 }
    }

    pub(super) fn sort(self) -> NodeKind {
        NodeKind::OF_BYTE[usize::from(self.0.to_le_bytes()[0])]
    }

    pub(super) fn depth(self) -> u8 {
        self.0.to_le_bytes()[1]
    }

    pub(super) fn detail(self) -> u8 {
        self.0.to_le_bytes()[2]
    }

    pub(super) fn operator(self) -> Operator {
        Operator::ALL[usize::from(self.detail())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_round_trip() {
        for sort in NodeKind::ALL {
            for (end, length, words) in
                [(7, Some(0), 2), (261, Some(254), 2), (262, None, 3), (9999, None, 3)]
            {
                let head = Head::new(sort, 128, 5).at(Span::new(7, end));
                assert_eq!((head.sort(), head.depth(), head.detail()), (sort, 128, 5));
                assert_eq!((head.length(), head.words()), (length, words));
            }
        }
        for operator in Operator::ALL {
            assert_eq!(Head::new(NodeKind::Binary, 1, operator as u8).operator(), operator);
        }
    }
}
