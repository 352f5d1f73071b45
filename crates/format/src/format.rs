//! Formatting a text: the indentation of its lines, and the spaces in them.

use super::token::{Line, lines};
use crate::alignment::align;
use crate::lexer::tokens;
use crate::token::{Bracket, Kind, Token};
use crate::unformattable::Unformattable;

/// Formats `text`.
///
/// # Guarantees
/// - Only white space between tokens changes: all tokens stay, in their order and on their lines, and so does every
///   comment and every blank line but those at the end.
/// - Strings and heredocs stay byte for byte as they are, including interpolations and carriage returns; everywhere
///   else a line ends with a line feed alone.
/// - Formatting the result again does not change it.
/// - Time and memory are linear in the length of the text, whatever it contains.
///
/// # Errors
/// A text that cannot be divided into tokens, because of an unclosed string, heredoc, comment or bracket, or an invalid
/// character.
///
/// # Examples
/// ```
/// let text = "file \"/x\" {\nmode=\"0644\" # for all\ncontent  =  \"y\"\n}";
/// let expected = "file \"/x\" {\n  mode    = \"0644\" # for all\n  content = \"y\"\n}\n";
/// assert_eq!(uphold_format::format(text).as_deref(), Ok(expected));
/// ```
pub fn format(text: &str) -> Result<String, Unformattable> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut tokens = tokens(text)?;
    let lines = lines(text, &tokens);
    space(text, &mut tokens, &lines);
    indent(&mut tokens, &lines);
    align(text, &mut tokens, &lines);
    Ok(write(text, &tokens, &lines))
}

fn write(text: &str, tokens: &[Token], lines: &[Option<Line>]) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let last = lines.iter().rposition(Option::is_some).map_or(0, |i| i + 1);
    for line in &lines[..last] {
        for token in line.map_or(&[][..], |line| &tokens[line.start..line.end]) {
            out.extend(std::iter::repeat_n(' ', token.spaces));
            write_token(&text[token.range()], token.kind, &mut out);
        }
        out.push('\n');
    }
    out
}

/// A multi-line comment has its own line breaks.
fn write_token(token: &str, kind: Kind, out: &mut String) {
    if kind == Kind::BlockComment && token.contains('\r') {
        out.push_str(&token.replace("\r\n", "\n"));
    } else {
        out.push_str(token);
    }
}

/// The spaces of one level.
const STEP: usize = 2;

/// The maximum indentation in levels. The parser rejects far less; without a limit, a text of brackets would need a
/// number of spaces quadratic in its length.
const DEEPEST: usize = 100;

/// Indents every line. A line that closes brackets of earlier lines is aligned with their lines.
pub(crate) fn indent(tokens: &mut [Token], lines: &[Option<Line>]) {
    // The number of brackets that each line opened and that are still open.
    let mut levels: Vec<u64> = Vec::new();
    for line in lines.iter().flatten() {
        let balance: i64 = tokens[line.start..line.end].iter().map(|token| token.kind.deepens()).sum();
        if balance < 0 {
            close(&mut levels, balance.unsigned_abs());
        }
        tokens[line.start].spaces = STEP * levels.len().min(DEEPEST);
        if balance > 0 {
            levels.push(balance.unsigned_abs());
        }
    }
}

/// Closes `brackets` of the innermost levels, and removes levels without open brackets.
fn close(levels: &mut Vec<u64>, mut brackets: u64) {
    while let Some(level) = levels.last_mut() {
        let closed = brackets.min(*level);
        *level -= closed;
        brackets -= closed;
        if *level > 0 {
            return;
        }
        levels.pop();
        if brackets == 0 {
            return;
        }
    }
}

/// Puts no or one space before every token but the first of each line.
pub(crate) fn space(text: &str, tokens: &mut [Token], lines: &[Option<Line>]) {
    let mut context = Context { text, left: None, value: false };
    for line in lines.iter().flatten() {
        context.left = None;
        for token in &mut tokens[line.start..line.end] {
            token.spaces = usize::from(context.spaced(*token));
            context.pass(*token);
        }
    }
}

/// The role of an ambiguous token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A `-` before a value, not between two.
    Negation,
    /// `in` or `if` of a `for`.
    Keyword,
    /// A number after a dot.
    Index,
    /// The obvious role of the token.
    Plain,
}

/// The preceding tokens.
struct Context<'t> {
    text: &'t str,
    /// The previous token of this line.
    left: Option<(Token, Role)>,
    /// Whether a value has just ended, ignoring line breaks and comments.
    value: bool,
}

impl Context<'_> {
    fn pass(&mut self, token: Token) {
        let role = self.role(token);
        self.left = Some((token, role));
        if !token.kind.is_comment() {
            self.value = token.kind.ends_value() && role != Role::Keyword;
        }
    }

    fn role(&self, token: Token) -> Role {
        match token.kind {
            Kind::Minus if !self.value => Role::Negation,
            // A name cannot follow a value, so this is a keyword.
            Kind::Identifier if self.value && matches!(&self.text[token.range()], "in" | "if") => {
                Role::Keyword
            }
            Kind::Number if self.left.is_some_and(|(left, _)| left.kind == Kind::Dot) => Role::Index,
            _ => Role::Plain,
        }
    }

    /// Whether a space belongs before `right`.
    fn spaced(&self, right: Token) -> bool {
        use Kind::*;
        let Some((left, role)) = self.left else { return false };
        match (left.kind, right.kind) {
            (_, LineComment) => true,
            _ if self.would_merge(left, role, right) => true,
            (Dot, _) | (_, Dot | Comma | Ellipsis) => false,
            (Comma, _) => true,
            (Identifier, DoubleColon) | (DoubleColon, Identifier) => false,
            (Identifier, Open(Bracket::Paren | Bracket::Square)) => role == Role::Keyword,
            (Number | Quoted | Close(_), Open(Bracket::Square)) | (Bang, _) => false,
            (Minus, _) => role != Role::Negation,
            (Open(Bracket::Brace), Close(Bracket::Brace)) => false,
            (Open(Bracket::Brace), _) | (_, Close(Bracket::Brace)) => true,
            (Open(_), _) | (_, Close(_)) => false,
            _ => true,
        }
    }

    /// Whether the two would be parsed as another token if they touched, as in `! =`. This is rare in valid text; but
    /// invalid text must keep its tokens, too.
    fn would_merge(&self, left: Token, role: Role, right: Token) -> bool {
        let dots = |kind| matches!(kind, Kind::Dot | Kind::Ellipsis);
        match left.kind {
            Kind::Bang => self.text[right.range()].starts_with('='),
            Kind::Number => right.kind == Kind::Dot && role != Role::Index,
            kind => dots(kind) && dots(right.kind),
        }
    }
}
