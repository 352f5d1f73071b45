//! Formatting a text.

use crate::alignment::align;
use crate::indentation::indent;
use crate::lexer::tokens;
use crate::line::{Line, lines};
use crate::spacing::space;
use crate::token::{Kind, Token};
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
