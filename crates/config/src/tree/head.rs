//! The first word of an expression: what it is.

use super::node::Operator;
use crate::token::Span;

/// What an expression is. Says which words follow its head and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Null,
    False,
    True,
    /// A number that fits into a word.
    Small,
    /// Two words: the lower half first.
    Int,
    /// Two words: the lower half first.
    Float,
    /// A text that is all of its span.
    Plain,
    /// A text that is its span without the quotes around it.
    Quoted,
    /// A text that stands in no source: from where to where in what the tree keeps.
    Kept,
    Name,
    /// Of what. The head says how long the name is: it ends with the expression.
    Field,
    /// Of what, and where the name begins.
    LongField,
    Index,
    Splat,
    Element,
    Not,
    Negative,
    /// The operator is in the head.
    Binary,
    Conditional,
    /// Where the name of the function ends, how many arguments, and each. The head says whether the last is spread.
    Call,
    /// See `Draft::add_loop`.
    For,
    /// How many parts, and each; the same for lists and objects.
    Template,
    List,
    Object,
}

impl Sort {
    /// In the order of their numbers.
    const ALL: [Sort; 24] = [
        Sort::Null,
        Sort::False,
        Sort::True,
        Sort::Small,
        Sort::Int,
        Sort::Float,
        Sort::Plain,
        Sort::Quoted,
        Sort::Kept,
        Sort::Name,
        Sort::Field,
        Sort::LongField,
        Sort::Index,
        Sort::Splat,
        Sort::Element,
        Sort::Not,
        Sort::Negative,
        Sort::Binary,
        Sort::Conditional,
        Sort::Call,
        Sort::For,
        Sort::Template,
        Sort::List,
        Sort::Object,
    ];

    /// The sort of each first byte of a head, so that looking it up cannot fail.
    const OF_BYTE: [Sort; 256] = {
        let mut sorts = [Sort::Null; 256];
        let mut number = 0;
        while number < Sort::ALL.len() {
            sorts[number] = Sort::ALL[number];
            number += 1;
        }
        sorts
    };

    /// Whether it is a text that is written out.
    pub(crate) fn is_text(self) -> bool {
        matches!(self, Sort::Plain | Sort::Quoted | Sort::Kept)
    }
}

/// The first word: the sort, how deep the tree below is, a detail, and how long its text is, a byte each. The second is
/// where it begins. Where it ends is a third word only if the length does not fit: few expressions are so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head(pub(super) u32);

/// A length that does not fit.
const LONG: u8 = u8::MAX;

impl Head {
    pub(super) fn new(sort: Sort, depth: u8, detail: u8) -> Self {
        Self(u32::from_le_bytes([sort as u8, depth, detail, 0]))
    }

    /// The same, of an expression that stands here.
    pub(super) fn at(self, span: Span) -> Self {
        let [sort, depth, detail, _] = self.0.to_le_bytes();
        let length = u8::try_from(span.end - span.start).unwrap_or(LONG);
        Self(u32::from_le_bytes([sort, depth, detail, length]))
    }

    /// How long the text is; none if that is too long to be told here.
    pub(super) fn length(self) -> Option<u32> {
        let length = self.0.to_le_bytes()[3];
        (length != LONG).then_some(u32::from(length))
    }

    /// How many words the head and the span take.
    pub(super) fn words(self) -> u32 {
        if self.length().is_some() { 2 } else { 3 }
    }

    pub(super) fn sort(self) -> Sort {
        Sort::OF_BYTE[usize::from(self.0.to_le_bytes()[0])]
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
    fn what_is_packed_comes_out_again() {
        for sort in Sort::ALL {
            for (end, length, words) in
                [(7, Some(0), 2), (261, Some(254), 2), (262, None, 3), (9999, None, 3)]
            {
                let head = Head::new(sort, 128, 5).at(Span::new(7, end));
                assert_eq!((head.sort(), head.depth(), head.detail()), (sort, 128, 5));
                assert_eq!((head.length(), head.words()), (length, words));
            }
        }
        for operator in Operator::ALL {
            assert_eq!(Head::new(Sort::Binary, 1, operator as u8).operator(), operator);
        }
    }
}
