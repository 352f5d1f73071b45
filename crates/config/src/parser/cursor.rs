//! The parser's state: one token of lookahead, open brackets, the tree, and the problems so far.

use std::sync::Arc;

use uphold_model::{Code, Diagnostic, SourceId};

use super::literal_block::{LiteralBlock, LiteralReader};
use super::nesting::{DEEPEST, Nesting, Opening};
use super::piece::Piece;
use crate::excerpt::excerpt;
use crate::lexer::Lexer;
use crate::token::{Kind, Span, Token};
use crate::tree::{Item, Items, NodeId, Tree, TreeBuilder};

/// A parse failed, and the problem was already recorded.
#[derive(Debug)]
pub(super) struct Reported;

pub(super) type Parsed<T> = Result<T, Reported>;

/// An item outside of all blocks.
#[derive(Debug)]
pub(crate) enum RootItem {
    Tree(Arc<Tree>),
    Literals(LiteralBlock),
}

/// Parses one source.
///
/// Strings have no tokens inside: there the parser moves the lexer's position directly, and `current` is stale until
/// the string ends. Everywhere else the lexer is right after `current`.
#[derive(Debug)]
pub(crate) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) source: SourceId,
    pub(super) lexer: Lexer<'t>,
    pub(super) current: Token,
    /// Whether `current` is the first token of its line.
    pub(super) line_start: bool,
    /// The span of the token before `current`.
    pub(super) previous: Span,
    pub(super) nesting: Nesting,
    pub(super) tree: TreeBuilder,
    /// Children of unfinished lists, objects, calls and templates, and operands of splats.
    pub(super) pending_nodes: Vec<NodeId>,
    /// Pieces of unfinished templates.
    pub(super) pieces: Vec<Piece<'t>>,
    /// String buffers of former pieces, for reuse.
    pub(super) spare: Vec<String>,
    /// The nesting depth of expressions.
    pub(super) levels: usize,
    /// Items of unfinished bodies.
    pub(super) pending_items: Vec<Item<'t>>,
    pub(super) problems: Vec<Diagnostic>,
    /// The index of the first problem of the current attribute.
    pub(super) first_problem: usize,
    /// The position where blocks were found to be unclosed: enclosing blocks are not reported again.
    pub(super) unclosed_at: Option<u32>,
    /// The position where the last recovery stopped: the token there is not a new mistake.
    pub(super) recovered_at: Option<u32>,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str, source: SourceId) -> Self {
        let before = Span::new(0, 0);
        Self {
            text,
            source,
            lexer: Lexer::new(text),
            current: Token { kind: Kind::Newline, span: before },
            line_start: true,
            previous: before,
            nesting: Nesting::default(),
            tree: TreeBuilder::default(),
            pending_nodes: Vec::new(),
            pieces: Vec::new(),
            spare: Vec::new(),
            levels: 0,
            pending_items: Vec::new(),
            problems: Vec::new(),
            first_problem: 0,
            unclosed_at: None,
            recovered_at: None,
        }
    }

    /// Passes a tree for each item outside of all blocks to `take`. Returns all problems.
    pub(crate) fn parse(mut self, mut take: impl FnMut(Arc<Tree>)) -> Vec<Diagnostic> {
        self.bump();
        while self.root_item() {
            if !self.pending_items.is_empty() {
                take(Arc::new(self.cut()));
            }
        }
        self.problems
    }

    /// Like [`Parser::parse`], but blocks of plain literals have no tree: their attributes go to `literals`.
    pub(super) fn parse_literals(
        mut self,
        literals: &mut LiteralReader<'_>,
        mut take: impl FnMut(RootItem),
    ) -> Vec<Diagnostic> {
        self.bump();
        loop {
            if let Some(block) = self.literal_block(literals) {
                take(RootItem::Literals(block));
            } else if !self.root_item() {
                return self.problems;
            } else if !self.pending_items.is_empty() {
                take(RootItem::Tree(Arc::new(self.cut())));
            }
        }
    }

    /// One tree for all items, and all problems.
    pub(crate) fn parse_whole(mut self) -> (Tree, Vec<Diagnostic>) {
        self.bump();
        while self.root_item() {}
        (self.cut(), self.problems)
    }

    /// One tree for the items that start at these bytes.
    pub(crate) fn parse_at(mut self, starts: &[u32]) -> Tree {
        for start in starts {
            self.lexer.at = *start as usize;
            self.bump();
            self.item();
        }
        self.cut()
    }

    /// The tree of the items that were parsed since the last one.
    fn cut(&mut self) -> Tree {
        let root = self.items(0);
        self.tree.cut(root)
    }

    /// Moves to the next token; line breaks are skipped where they have no meaning.
    pub(super) fn bump(&mut self) {
        self.step();
        let previous = self.previous;
        while self.current.kind == Kind::Newline && self.nesting.ignores_newlines() {
            self.step();
            self.previous = previous;
        }
    }

    /// Moves to the next token, whatever it is.
    pub(super) fn step(&mut self) {
        self.line_start = self.current.kind == Kind::Newline;
        self.previous = self.current.span;
        self.current = self.lexer.read();
        match self.current.kind {
            Kind::OpenComment => self.open_comment(),
            Kind::Newline => self.stop_at_marker(),
            _ => {}
        }
    }

    /// An expression in a heredoc cannot extend beyond its end: the lexer stays on the line break before the marker.
    fn stop_at_marker(&mut self) {
        let Some((_, marker)) = self.nesting.heredoc() else { return };
        if self.heredoc_end(marker, self.lexer.at).is_some() {
            self.current.kind = Kind::TextEnd;
            self.lexer.at = self.current.span.start as usize;
        }
    }

    fn open_comment(&mut self) {
        let comment = self.current.span;
        self.problems.push(
            self.error(Code::UnclosedComment, "`/*` has no `*/`", comment)
                .fix("add `*/` where the comment ends"),
        );
        let end = Span::new(self.text.len(), self.text.len());
        self.current = Token { kind: Kind::End, span: end };
        self.unclosed_at = Some(end.start);
    }

    /// Opens a level at `span`, unless the nesting limit is reached; consumes nothing.
    pub(super) fn open(&mut self, what: Opening, span: Span) -> Parsed<()> {
        if self.nesting.depth() >= DEEPEST {
            let detail = format!("blocks, brackets and templates are nested more than {DEEPEST} levels deep");
            let error = self.error(Code::NestedTooDeeply, detail, span);
            return self.fail(error.fix("split it into several resources or simpler values"));
        }
        self.nesting.push(what, span);
        Ok(())
    }

    /// Closes a level with the current token.
    pub(super) fn close(&mut self) {
        self.nesting.pop();
        self.bump();
    }

    pub(super) fn word(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    /// Moves the pending items from `base` on into the tree.
    pub(super) fn items(&mut self, base: usize) -> Items {
        let items = self.tree.add_items(&self.pending_items[base..]);
        self.pending_items.truncate(base);
        items
    }

    pub(super) fn error(&self, code: Code, detail: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::new(code, detail).at(span.place(self.source))
    }

    pub(super) fn fail<T>(&mut self, problem: Diagnostic) -> Parsed<T> {
        self.problems.push(problem);
        Err(Reported)
    }

    /// The current token, as messages name it.
    pub(super) fn found(&self) -> String {
        match self.current.kind {
            Kind::End => "the end of the file".into(),
            Kind::Newline => "the end of the line".into(),
            Kind::TextEnd => "the end of the heredoc".into(),
            Kind::Quote => "a string".into(),
            _ => excerpt(self.word(self.current.span)),
        }
    }

    /// The span to point at for a problem with the current token. A line break is invisible, so it is the end of the
    /// previous token.
    pub(super) fn here(&self) -> Span {
        match self.current.kind {
            Kind::End | Kind::Newline | Kind::TextEnd => Span { start: self.previous.end, ..self.previous },
            _ => self.current.span,
        }
    }
}
