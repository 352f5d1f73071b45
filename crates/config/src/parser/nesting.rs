//! Open brackets, blocks and strings at the current position.

use crate::token::Span;

/// The maximum nesting of brackets, blocks and templates. Hand-written text stays below ten; the parser and the
/// evaluator are recursive, so this bounds their stack.
pub(super) const DEEPEST: usize = 64;

/// The kind of an open bracket, block or string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Block,
    Object,
    /// `{for`
    ObjectLoop,
    Bracket,
    Paren,
    Quote,
    Heredoc {
        marker: Span,
    },
    /// `${` or `%{`
    Interpolation,
}

/// An open bracket, block or string, and its span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) what: Opening,
    pub(super) span: Span,
    /// The level of the outermost open quoted string, so that recovery need not search for it.
    outermost_quote: Option<u32>,
    /// The level of the innermost open heredoc, for the same reason.
    innermost_heredoc: Option<u32>,
}

/// Everything that is open, innermost last.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    open: Vec<Open>,
}

impl Nesting {
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn innermost(&self) -> Option<Open> {
        self.open.last().copied()
    }

    /// The innermost opening, if it is above the level `base`.
    pub(super) fn above(&self, base: usize) -> Option<Opening> {
        (self.open.len() > base).then(|| self.open.last().map(|open| open.what)).flatten()
    }

    pub(super) fn push(&mut self, what: Opening, span: Span) {
        let level = Some(self.open.len() as u32);
        let (quote, heredoc) =
            self.innermost().map_or((None, None), |open| (open.outermost_quote, open.innermost_heredoc));
        let outermost_quote = if what == Opening::Quote { quote.or(level) } else { quote };
        let innermost_heredoc = if matches!(what, Opening::Heredoc { .. }) { level } else { heredoc };
        self.open.push(Open { what, span, outermost_quote, innermost_heredoc });
    }

    pub(super) fn pop(&mut self) {
        self.open.pop();
    }

    /// Changes the kind of the innermost opening.
    pub(super) fn turn_into(&mut self, what: Opening) {
        if let Some(open) = self.open.last_mut() {
            open.what = what;
        }
    }

    pub(super) fn truncate(&mut self, depth: usize) {
        self.open.truncate(depth);
    }

    /// Leaves all quoted strings: a line break ends them.
    pub(super) fn leave_quotes(&mut self) {
        if let Some(level) = self.innermost().and_then(|open| open.outermost_quote) {
            self.truncate(level as usize);
        }
    }

    /// The level and the marker of the innermost heredoc.
    pub(super) fn heredoc(&self) -> Option<(usize, Span)> {
        let level = self.innermost()?.innermost_heredoc? as usize;
        match self.open[level].what {
            Opening::Heredoc { marker } => Some((level, marker)),
            _ => None,
        }
    }

    /// Leaves everything that is open inside the innermost heredoc above the level `base`, and returns that heredoc's
    /// marker.
    pub(super) fn leave_to_heredoc(&mut self, base: usize) -> Option<Span> {
        let (level, marker) = self.heredoc().filter(|(level, _)| *level >= base)?;
        self.truncate(level + 1);
        Some(marker)
    }

    /// Whether line breaks have no meaning here.
    pub(super) fn ignores_newlines(&self) -> bool {
        matches!(
            self.innermost().map(|open| open.what),
            Some(Opening::Bracket | Opening::Paren | Opening::ObjectLoop | Opening::Interpolation)
        )
    }
}
