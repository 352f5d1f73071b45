//! The outline of a text, for editors: it also describes positions in unfinished text.

mod contents;
mod frame;
mod spot;
mod spot_scan;

use frame::{Body, Frame, Inside, Object, Quote};
use uphold_model::Name;

use super::lexer::Lexer;
use super::token::{Kind, Span, Token};

pub use contents::{Outline, OutlineAttribute, OutlineBlock, PathStep, Word, outline};
pub use spot::{Expected, Spot, SpotBlock, spot};

// A scanner for unfinished text: it tracks only open brackets and the path that ends at the current position.

/// How the path before a position ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// There is no path.
    None,
    /// With a name or `]`.
    Name,
    /// With a dot.
    Dot,
    /// A dot that does not follow a path.
    Loose,
}

/// The state between two tokens.
#[derive(Debug)]
struct Scan<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// Open brackets and blocks; the first is the file.
    frames: Vec<Frame>,
    path: Vec<PathStep>,
    link: Link,
    line_start: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            lexer: Lexer::new(text),
            frames: vec![Frame::Body(Body::default())],
            path: Vec::new(),
            link: Link::None,
            line_start: true,
        }
    }

    fn word(&self, span: Span) -> Name {
        self.text[span.range()].into()
    }

    /// Closes brackets that were left open before a line that starts with this token.
    fn close_at_line_start(&mut self, token: Token) {
        if !self.line_start || token.kind != Kind::Identifier || self.frames.len() == 1 {
            return;
        }
        let next = self.lexer.clone().next().kind;
        let start = token.span.start as usize;
        let at_margin = start == 0 || self.text.as_bytes()[start - 1] == b'\n';
        if at_margin && matches!(next, Kind::Quote | Kind::Identifier) {
            self.frames.truncate(1);
            self.begin_line();
        } else if next == Kind::Assign
            && !matches!(self.frames.last(), Some(Frame::Body(_) | Frame::Object(_)))
        {
            self.leave_to(|frame| matches!(frame, Frame::Body(_)));
            self.begin_line();
        }
    }

    /// Consumes a token outside of strings.
    fn take(&mut self, token: Token) {
        self.line_start = token.kind == Kind::Newline;
        let whole = self.note(token);
        let link = std::mem::replace(&mut self.link, Link::None);
        match token.kind {
            Kind::Newline => self.begin_line(),
            Kind::Identifier => self.name(token.span, link),
            Kind::Number if link == Link::Dot => self.step(token.span),
            Kind::Dot => self.link = if link == Link::Name { Link::Dot } else { Link::Loose },
            Kind::Assign | Kind::Colon => self.assign(token.kind),
            Kind::Comma => self.comma(),
            Kind::BracketOpen => self.open_bracket(link),
            Kind::BracketClose => self.close_bracket(),
            Kind::ParenOpen => self.frames.push(Frame::Paren),
            Kind::ParenClose => {
                self.frames.pop_if(|frame| matches!(frame, Frame::Paren));
            }
            Kind::BraceOpen => self.open_brace(),
            Kind::BraceClose => self.close_brace(),
            Kind::Quote => self.open_quote(token.span, whole),
            _ => {}
        }
    }

    /// Records in the innermost frame that it is not empty. Returns whether the token is the first of a value.
    fn note(&mut self, token: Token) -> bool {
        match self.frames.last_mut() {
            Some(Frame::Bracket { inside, .. }) if token.kind != Kind::BracketClose => {
                *inside = match (&*inside, token.kind) {
                    (Inside::Nothing, Kind::Quote) => Inside::Begun,
                    (Inside::Nothing, Kind::Number) => {
                        Inside::One(self.text[token.span.range()].into(), token.span)
                    }
                    _ => Inside::Other,
                };
            }
            Some(Frame::Object(object)) if token.kind != Kind::Newline => {
                let begins = std::mem::replace(&mut object.empty, false);
                object.looped |= begins && &self.text[token.span.range()] == "for";
            }
            Some(Frame::Body(body)) => return std::mem::replace(&mut body.fresh, false),
            _ => {}
        }
        false
    }

    fn begin_line(&mut self) {
        match self.frames.last_mut() {
            Some(Frame::Body(body)) => body.begin_line(),
            Some(Frame::Object(object)) => object.key = true,
            _ => {}
        }
    }

    fn name(&mut self, span: Span, link: Link) {
        let word = self.word(span);
        match self.frames.last_mut() {
            Some(Frame::Body(body)) if !body.assigned => {
                if body.words.is_empty() {
                    body.start = span.start as usize;
                }
                body.words.push(word);
            }
            Some(Frame::Object(object)) if object.key && !object.looped => {}
            _ if link == Link::Dot => self.step(span),
            _ => {
                self.path = vec![PathStep { name: Some(word), range: span.range(), index: false }];
                self.link = Link::Name;
            }
        }
    }

    fn step(&mut self, span: Span) {
        self.path.push(PathStep { name: Some(self.word(span)), range: span.range(), index: false });
        self.link = Link::Name;
    }

    fn assign(&mut self, kind: Kind) {
        match self.frames.last_mut() {
            Some(Frame::Body(body)) if kind == Kind::Assign && !body.words.is_empty() => {
                (body.assigned, body.fresh) = (true, !body.assigned);
            }
            Some(Frame::Object(object)) => object.key = false,
            _ => {}
        }
    }

    fn comma(&mut self) {
        if let Some(Frame::Object(object)) = self.frames.last_mut() {
            object.key = true;
        }
    }

    fn open_bracket(&mut self, link: Link) {
        let path = if link == Link::Name { std::mem::take(&mut self.path) } else { Vec::new() };
        self.frames.push(Frame::Bracket { path, inside: Inside::Nothing });
    }

    fn close_bracket(&mut self) {
        let Some(Frame::Bracket { path, inside }) =
            self.frames.pop_if(|frame| matches!(frame, Frame::Bracket { .. }))
        else {
            return;
        };
        if path.is_empty() {
            return;
        }
        let end = self.lexer.at;
        let (name, range) = match inside {
            Inside::One(name, span) => (Some(name), span.range()),
            _ => (None, end..end),
        };
        self.path = path;
        self.path.push(PathStep { name, range, index: true });
        self.link = Link::Name;
    }

    fn open_brace(&mut self) {
        let frame = match self.frames.last() {
            Some(Frame::Body(Body { words, start, assigned: false, .. })) if !words.is_empty() => {
                let block = SpotBlock { kind: words[0].clone(), labels: words[1..].to_vec(), start: *start };
                Frame::Body(Body { block: Some(block), ..Body::default() })
            }
            _ => Frame::Object(Object { key: true, empty: true, looped: false }),
        };
        self.frames.push(frame);
    }

    /// Closes unclosed brackets inside as well.
    fn close_brace(&mut self) {
        let closes =
            |frame: &Frame| matches!(frame, Frame::Body(_) | Frame::Object(_) | Frame::Interpolation);
        self.leave_to(closes);
        if self.frames.len() > 1 {
            self.frames.pop();
        }
        match self.frames.last_mut() {
            Some(Frame::Quote(quote)) => {
                (quote.piece, quote.plain) = (self.lexer.at, false);
            }
            Some(Frame::Body(body)) if !body.assigned => body.begin_line(),
            _ => {}
        }
    }

    fn open_quote(&mut self, span: Span, whole: bool) {
        let (start, piece) = (span.start as usize, span.end as usize);
        self.frames.push(Frame::Quote(Quote { start, piece, whole, plain: true }));
    }

    /// Closes frames down to the innermost that matches; the file stays open.
    fn leave_to(&mut self, wanted: impl Fn(&Frame) -> bool) {
        while self.frames.len() > 1 && !self.frames.last().is_some_and(&wanted) {
            self.frames.pop();
        }
    }
}
