//! A source text and its directory.

use std::path::PathBuf;

use uphold_model::{Place, SourceId, SourceText, Sources};

use crate::parser::Parser;
use crate::token::Span;
use crate::tree::{NodeId, Tree};

/// A source text. Shared by its trees and by all deferred expressions.
#[derive(Debug)]
pub(crate) struct SourceCode {
    pub(crate) source: SourceId,
    pub(crate) text: SourceText,
    /// The directory of the source; relative paths start here.
    pub(crate) directory: PathBuf,
}

impl SourceCode {
    /// The source with this number, in `directory`.
    pub(crate) fn of(sources: &Sources, source: SourceId, directory: PathBuf) -> Self {
        Self { source, text: sources.get(source).text.clone(), directory }
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        span.place(self.source)
    }

    /// Parses an expression again; none if it is invalid, which was reported the first time.
    pub(crate) fn parse_expression_again(&self, span: Span) -> (Tree, Option<NodeId>) {
        Parser::new(&self.text[..span.end as usize], self.source).parse_expression(span)
    }

    /// Parses the items that start at these bytes again. Mistakes were reported the first time.
    pub(crate) fn parse_again(&self, starts: &[u32]) -> Tree {
        Parser::new(&self.text, self.source).parse_at(starts)
    }
}
