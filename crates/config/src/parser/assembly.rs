//! Assembling the pieces of a template into nodes.

use std::borrow::Cow;
use std::mem::{replace, take};

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use super::directive::Directive;
use super::loop_head::Head;
use super::piece::{Content, Piece, Trim, trim_end, trim_start};
use crate::token::Span;
use crate::tree::{Gathered, Loop, NodeId, NodeKind};

/// An open directive.
#[derive(Debug)]
struct Section {
    what: What,
    span: Span,
    /// The index of its first part in the pending nodes.
    base: usize,
    /// The span of its text in the source.
    inner: Span,
}

#[derive(Debug)]
enum What {
    If { condition: NodeId },
    Else { condition: NodeId, yes: NodeId },
    For(Head),
}

/// A template under construction.
#[derive(Debug)]
struct Assembly<'t> {
    base: usize,
    sections: Vec<Section>,
    /// The text since the last value or directive, and its span.
    literal: Cow<'t, str>,
    literal_span: Span,
    /// Whether the text is trimmed at its start.
    trim: bool,
}

impl<'t> Parser<'t> {
    /// Makes one node of all pieces from `base` on.
    pub(super) fn assemble(&mut self, base: usize, span: Span) -> Parsed<NodeId> {
        let single = matches!(self.pieces[base..], [Piece { content: Content::Value(..), .. }]);
        let mut assembly = Assembly {
            base: self.pending_nodes.len(),
            sections: Vec::new(),
            literal: Cow::Borrowed(""),
            literal_span: span,
            trim: false,
        };
        for number in base..self.pieces.len() {
            let nothing = Content::Text(Cow::Borrowed(""));
            let content = replace(&mut self.pieces[number].content, nothing);
            self.add_piece(&mut assembly, content, self.pieces[number].span)?;
        }
        self.pieces.truncate(base);
        if assembly.sections.is_empty() && assembly.base == self.pending_nodes.len() {
            // A plain string: copied once.
            return Ok(self.text_node(assembly.literal, span));
        }
        self.flush(&mut assembly, false);
        if let Some(section) = assembly.sections.pop() {
            return self.unclosed_section(&section);
        }
        self.part(assembly.base, span, single)
    }

    fn add_piece(&mut self, assembly: &mut Assembly<'t>, content: Content<'t>, span: Span) -> Parsed<()> {
        match content {
            Content::Text(text) => {
                if assembly.literal.is_empty() {
                    (assembly.literal, assembly.literal_span) = (text, span);
                } else {
                    assembly.literal.to_mut().push_str(&text);
                    assembly.literal_span = assembly.literal_span.to(span);
                }
            }
            Content::Value(node, Trim { before, after }) => {
                self.flush(assembly, before);
                assembly.trim = after;
                self.pending_nodes.push(node);
            }
            Content::Directive(directive, Trim { before, after }) => {
                self.flush(assembly, before);
                assembly.trim = after;
                self.add_directive(assembly, directive, span)?;
            }
        }
        Ok(())
    }

    /// Makes a node of the text so far, if there is any.
    fn flush(&mut self, assembly: &mut Assembly<'t>, trim: bool) {
        let text = trimmed(take(&mut assembly.literal), take(&mut assembly.trim), trim);
        if !text.is_empty() {
            let node = self.text_node(text, assembly.literal_span);
            self.pending_nodes.push(node);
        }
    }

    /// A node of this text; its buffer is reused.
    fn text_node(&mut self, text: Cow<'t, str>, span: Span) -> NodeId {
        let node = self.text_leaf(&text, span);
        if let Cow::Owned(mut text) = text {
            text.clear();
            self.spare.push(text);
        }
        node
    }

    fn add_directive(&mut self, assembly: &mut Assembly<'t>, directive: Directive, span: Span) -> Parsed<()> {
        let section = match directive {
            Directive::If(condition) => What::If { condition },
            Directive::For(head) => What::For(head),
            Directive::Else | Directive::EndIf | Directive::EndFor => {
                return self.end_section(assembly, &directive, span);
            }
        };
        let base = self.pending_nodes.len();
        assembly.sections.push(Section { what: section, span, base, inner: span });
        Ok(())
    }

    /// `else`, `endif` or `endfor` at `span`.
    fn end_section(&mut self, assembly: &mut Assembly<'t>, end: &Directive, span: Span) -> Parsed<()> {
        let Some(section) = assembly.sections.pop() else { return self.stray_directive(end, span, None) };
        let Section { what, span: start, base, inner } = section;
        let inner = Span { start: inner.end, end: span.start };
        let whole = start.to(span);
        let node = match (what, end) {
            (What::If { condition }, Directive::Else) => {
                let yes = self.part(base, inner, false)?;
                let what = What::Else { condition, yes };
                assembly.sections.push(Section { what, span: start, base, inner: span });
                return Ok(());
            }
            (What::If { condition }, Directive::EndIf) => {
                let yes = self.part(base, inner, false)?;
                let no = self.text_leaf("", span);
                self.parent(NodeKind::Conditional, [condition, yes, no], whole)?
            }
            (What::Else { condition, yes }, Directive::EndIf) => {
                let no = self.part(base, inner, false)?;
                self.parent(NodeKind::Conditional, [condition, yes, no], whole)?
            }
            (What::For(Head { key, value, collection }), Directive::EndFor) => {
                let result = Gathered::Text(self.part(base, inner, false)?);
                self.loop_node(&Loop { key, value, collection, result, condition: None }, whole)?
            }
            (what, end) => return self.stray_directive(end, span, Some((&what, start))),
        };
        self.pending_nodes.push(node);
        Ok(())
    }

    /// Combines the pending nodes from `base` on. The result is a string, unless it is a `single` value.
    fn part(&mut self, base: usize, span: Span, single: bool) -> Parsed<NodeId> {
        match self.pending_nodes[base..] {
            [] => return Ok(self.text_leaf("", span)),
            [only] if !single && self.is_text(only) => {
                self.pending_nodes.truncate(base);
                return Ok(only);
            }
            [_] if !single => {
                // A template with a single part has the value of that part, of any type. Here it must be a string.
                let nothing = self.text_leaf("", span);
                self.pending_nodes.push(nothing);
            }
            _ => {}
        }
        self.list_node(NodeKind::Template, base, span)
    }

    /// Whether this is always a string: plain text, or the result of a directive. No expression starts with `%`.
    fn is_text(&self, node: NodeId) -> bool {
        self.tree.sort(node).is_text() || self.word(self.tree.span(node)).starts_with('%')
    }

    fn unclosed_section<T>(&mut self, section: &Section) -> Parsed<T> {
        let (detail, fix) = match section.what {
            What::For(_) => ("this `for` has no `%{ endfor }`", "add `%{ endfor }` where its text ends"),
            _ => ("this `if` has no `%{ endif }`", "add `%{ endif }` where its text ends"),
        };
        let error = self.error(Code::UnclosedDirective, detail, section.span);
        self.fail(error.fix(fix))
    }

    /// A directive that does not match the open one.
    fn stray_directive<T>(&mut self, end: &Directive, span: Span, open: Option<(&What, Span)>) -> Parsed<T> {
        let (word, opens) = match end {
            Directive::Else => ("else", "if"),
            Directive::EndIf => ("endif", "if"),
            _ => ("endfor", "for"),
        };
        let Some((what, start)) = open else {
            let error =
                self.error(Code::MalformedDirective, format!("no `%{{ {opens} … }}` is open here"), span);
            return self.fail(error.fix(format!("remove it, or add `%{{ {opens} … }}` before it")));
        };
        let (opened, fix) = match what {
            What::Else { .. } if word == "else" => ("this `if` has an `else` already", "remove one of them"),
            What::For(_) => ("a `for` is open here", "close the `for` first, with `%{ endfor }`"),
            _ => ("an `if` is open here", "close the `if` first, with `%{ endif }`"),
        };
        let detail = format!("`{word}` belongs to `{opens}`, but {opened}");
        let error = self
            .error(Code::MalformedDirective, detail, span)
            .and_at(start.place(self.source), "opened here");
        self.fail(error.fix(fix))
    }
}

fn trimmed(text: Cow<'_, str>, start: bool, end: bool) -> Cow<'_, str> {
    match text {
        text if !start && !end => text,
        Cow::Borrowed(text) => Cow::Borrowed(trimmed_text(text, start, end)),
        Cow::Owned(text) => Cow::Owned(trimmed_text(&text, start, end).to_owned()),
    }
}

fn trimmed_text(text: &str, start: bool, end: bool) -> &str {
    let text = if start { trim_start(text) } else { text };
    if end { trim_end(text) } else { text }
}
