//! Parsing bodies: the lines of a file or a block.

use uphold_model::{Code, Diagnostic, foreign_kind};

use super::cursor::{Parsed, Parser};
use super::foreign_text::NOTIFIES;
use crate::excerpt::excerpt;
use crate::token::{Kind, Span};
use crate::tree::{Content, Item, Items, NodeId, NodeKind};

/// How the items of a body are separated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// Each item ends with its line.
    Many,
    /// `{ a = 1 }`: one attribute, then the brace.
    One,
    /// A one-line block with too many items, which was already reported.
    Crowded,
}

/// Blocks that contain labelled blocks. In any other block, a labelled block at the left margin indicates a missing
/// `}`.
const HOLDERS: [&str; 6] = ["expect", "given", "kind", "parallel", "sequence", "test"];

impl<'t> Parser<'t> {
    /// Parses one item outside of all blocks. Returns false at the end of the text.
    pub(super) fn root_item(&mut self) -> bool {
        if self.foreign_text() {
            return true;
        }
        match self.current.kind {
            Kind::End => return false,
            Kind::Newline => self.bump(),
            Kind::Identifier => {
                self.item();
                self.item_end(Lines::Many);
            }
            Kind::BraceClose => {
                let error = self.error(Code::UnmatchedBracket, "no block is open here", self.current.span);
                self.problems.push(error.fix("remove it, or an extra `}` above"));
                self.bump();
            }
            _ => self.unexpected_item(),
        }
        true
    }

    /// Parses the items of a block up to its `}`, which is not consumed unless the block is unclosed.
    pub(super) fn body(&mut self, kind: Span) -> Items {
        let holds_blocks = HOLDERS.contains(&&self.text[kind.range()]);
        let base = self.pending_items.len();
        let mut lines = if self.current.kind == Kind::Newline { Lines::Many } else { Lines::One };
        loop {
            match self.current.kind {
                Kind::Newline => self.bump(),
                Kind::BraceClose => break,
                Kind::End => {
                    self.unclosed_block();
                    break;
                }
                Kind::Identifier if !holds_blocks && self.starts_block_at_margin() => {
                    self.unclosed_block();
                    break;
                }
                Kind::Identifier => {
                    self.item();
                    lines = self.item_end(lines);
                }
                _ => self.unexpected_item(),
            }
        }
        self.items(base)
    }

    fn unexpected_item(&mut self) {
        let detail = format!("a block or an attribute starts with a name, not with {}", self.found());
        let error = self.error(Code::UnexpectedToken, detail, self.current.span);
        let error = match self.current.kind {
            Kind::Quote => error.fix("write names on the left without quotes"),
            _ => error.fix("remove it, or write `name = value`"),
        };
        self.problems.push(error);
        self.recover(self.nesting.depth());
    }

    /// Parses one attribute or block. The current token is its name.
    pub(super) fn item(&mut self) {
        let base = self.nesting.depth();
        let name = self.current.span;
        self.bump();
        let item = match self.current.kind {
            Kind::Assign => Ok(self.attribute(name)),
            Kind::BraceOpen | Kind::Quote | Kind::Identifier => self.block(name),
            Kind::Newline if self.brace_on_next_line() => self.block(name),
            Kind::Stray if self.wrong_quote().is_some() => self.block(name),
            _ => {
                let error = self.bare_name(name);
                self.fail(error)
            }
        };
        match item {
            Ok(item) => self.pending_items.push(item),
            Err(_) => self.recover(base),
        }
    }

    fn bare_name(&self, name: Span) -> Diagnostic {
        let word = self.word(name);
        let detail = format!("expected `=` or `{{` after {}, found {}", excerpt(word), self.found());
        let short = if word.len() > 40 { "name" } else { word };
        match self.nesting.depth() {
            0 if self.current.kind == Kind::BracketOpen => {
                self.error(Code::NotAnItem, detail, self.here()).fix(format!(
                    "write a block: `{short} \"name\" {{ … }}`; for several, with `for_each = […]` in it"
                ))
            }
            0 => self
                .error(Code::NotAnItem, detail, self.here())
                .fix(format!("write a block: `{short} \"name\" {{ … }}`")),
            _ if self.current.kind == Kind::Colon && matches!(word, "notifies" | "subscribes") => {
                self.error(Code::NotAnItem, detail, self.here()).fix(NOTIFIES)
            }
            _ => {
                let instead = match self.current.kind {
                    Kind::Colon => " with `=` instead of `:`",
                    Kind::Arrow => " with `=` instead of `=>`",
                    _ => "",
                };
                self.error(Code::NotAnItem, detail, self.here())
                    .fix(format!("write `{short} = value`{instead}"))
            }
        }
    }

    /// Parses `= expression`. An invalid expression is skipped, and the attribute is marked as broken.
    fn attribute(&mut self, name: Span) -> Item<'t> {
        let base = self.nesting.depth();
        self.first_problem = self.problems.len();
        self.bump();
        let start = self.here();
        let parsed = self.assigned_value();
        let value = start.to(self.previous);
        let content = match parsed {
            Ok(node) if self.problems.len() == self.first_problem => Content::Expression(node),
            Ok(_) => Content::Broken,
            Err(_) => {
                self.recover(base);
                Content::Broken
            }
        };
        Item { key: self.word(name), name, value, content }
    }

    fn assigned_value(&mut self) -> Parsed<NodeId> {
        if matches!(self.current.kind, Kind::Newline | Kind::End) {
            let error = self.error(Code::MissingValue, "the value is missing after `=`", self.previous);
            return self.fail(error.fix("write the value on the same line"));
        }
        self.expression()
    }

    /// Parses the end of an item. Returns how the rest of the body is separated.
    fn item_end(&mut self, lines: Lines) -> Lines {
        let here = Some(self.current.span.start);
        if self.recovered_at == here || self.unclosed_at == here {
            return Lines::Many;
        }
        let inner_block = match self.pending_items.last() {
            Some(Item { content: Content::Block { .. }, name, .. }) => Some(*name),
            _ => None,
        };
        match (self.current.kind, lines) {
            (Kind::End, _) | (Kind::Newline, Lines::Many | Lines::Crowded) => return lines,
            (Kind::BraceClose, Lines::Crowded) => return lines,
            (Kind::BraceClose, _) if self.nesting.depth() == 0 => return lines,
            (Kind::BraceClose, Lines::One) => {
                if let Some(inner) = inner_block {
                    self.one_line("a block on one line can contain one attribute, but no block", inner);
                }
            }
            (Kind::BraceClose, Lines::Many) => {
                self.missing_newline("`}` must be on a line of its own");
            }
            (Kind::Comma, Lines::Crowded) => self.bump(),
            (Kind::Newline, Lines::One) => self.one_line_continues(),
            (Kind::Comma, _) if self.bare_word().is_none() => {
                self.missing_newline("attributes are separated by line breaks, not by commas");
                self.bump();
                if !matches!(self.current.kind, Kind::Identifier | Kind::Newline | Kind::BraceClose) {
                    self.recover(self.nesting.depth());
                }
            }
            _ => {
                self.after_item();
                self.recover(self.nesting.depth());
            }
        }
        if lines == Lines::Many { Lines::Many } else { Lines::Crowded }
    }

    /// A one-line block that continues on the next line. If the file or the next block comes first, it is only
    /// unclosed.
    fn one_line_continues(&mut self) {
        while self.current.kind == Kind::Newline {
            self.bump();
        }
        if self.current.kind != Kind::End && !self.starts_block_at_margin() {
            self.one_line(
                "a block whose first attribute is beside `{` must end on the same line",
                self.current.span,
            );
        }
    }

    /// Reports text after an item on its line, unless the item is already broken.
    fn after_item(&mut self) {
        if let Some(word) = self.bare_word() {
            return self.text_without_quotes(word);
        }
        match self.current.kind {
            _ if matches!(self.pending_items.last(), Some(Item { content: Content::Broken, .. })) => {}
            Kind::ParenClose | Kind::BracketClose => {
                let detail = format!("{} closes nothing", self.found());
                let error = self.error(Code::UnmatchedBracket, detail, self.current.span);
                self.problems.push(error.fix("remove it, or add the one that opens"));
            }
            _ => {
                let detail = format!("{} is not expected after an attribute or block", self.found());
                match foreign_kind(self.word(self.current.span)) {
                    Some(hint) => {
                        let error = self.error(Code::MissingLineBreak, detail, self.current.span);
                        self.problems.push(error.fix(hint));
                    }
                    None => self.missing_newline(&detail),
                }
            }
        }
    }

    /// The span of the bare word that is the last item's value, if the following tokens could continue it as text.
    fn bare_word(&self) -> Option<Span> {
        let Some(Item { content: Content::Expression(node), value, .. }) = self.pending_items.last() else {
            return None;
        };
        let assigns =
            || self.current.kind == Kind::Identifier && self.lexer.clone().next().kind == Kind::Assign;
        let ended = matches!(self.current.kind, Kind::ParenClose | Kind::BracketClose)
            || self.word(self.current.span) == ";";
        (self.tree.sort(*node) == NodeKind::Name && !ended && !assigns()).then_some(*value)
    }

    /// `v = some words`: probably a string without quotes.
    fn text_without_quotes(&mut self, word: Span) {
        let line =
            self.text[word.start as usize..].split(['\n', '#', '}']).next().unwrap_or_default().trim_end();
        let span = Span::new(word.start as usize, word.start as usize + line.len());
        let plain = line.len() <= 40 && !line.contains(['"', '\\', '$', '%']);
        let fix = if plain { format!("write \"{line}\"") } else { "write \"…\"".into() };
        let fix = match self.word(self.current.span) {
            "and" => format!("{fix}, or `&&` in a condition"),
            "or" => format!("{fix}, or `||` in a condition"),
            _ => fix,
        };
        let detail = format!("{} is neither an expression nor in quotes", excerpt(line));
        let error = self.error(Code::UnquotedString, detail, span);
        self.problems.push(error.fix(fix));
        if let Some(item) = self.pending_items.last_mut() {
            item.content = Content::Broken;
        }
    }

    fn one_line(&mut self, detail: &str, span: Span) {
        let error = self.error(Code::OneLineBlock, detail, span);
        self.problems.push(error.fix("put `{`, each attribute and `}` on lines of their own"));
    }

    fn missing_newline(&mut self, detail: &str) {
        let error = self.error(Code::MissingLineBreak, detail, self.current.span);
        self.problems.push(error.fix("put each attribute and each `}` on a line of its own"));
    }
}
