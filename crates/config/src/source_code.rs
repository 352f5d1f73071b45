//! SourceCode: one source, and where it lies.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_model::{Place, SourceId, Sources};

use crate::parser::Parser;
use crate::token::Span;
use crate::tree::{NodeId, Tree};

/// One source. Shared by its trees, and by everything that is evaluated later.
#[derive(Debug)]
pub(crate) struct SourceCode {
    pub(crate) source: SourceId,
    pub(crate) text: Arc<String>,
    /// The directory of the source: relative paths in it are below.
    pub(crate) directory: PathBuf,
}

impl SourceCode {
    /// The source of this number, which lies in `directory`.
    pub(crate) fn of(sources: &Sources, source: SourceId, directory: PathBuf) -> Self {
        Self { source, text: sources.get(source).text.clone(), directory }
    }

    pub(crate) fn place(&self, span: Span) -> Place {
        span.place(self.source)
    }

    /// Parses anew the expression that stands here; none if it cannot be read, which was reported the first time.
    pub(crate) fn parse_expression_again(&self, span: Span) -> (Tree, Option<NodeId>) {
        Parser::new(&self.text[..span.end as usize], self.source).parse_expression(span)
    }

    /// Parses anew the items that begin at these bytes. Whatever is wrong with them was reported the first time.
    pub(crate) fn parse_again(&self, starts: &[u32]) -> Tree {
        Parser::new(&self.text, self.source).parse_at(starts)
    }
}
