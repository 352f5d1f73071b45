//! Text in the language of another tool: reported once, not for each line.

use uphold_model::{Code, Moment, foreign_kind, is_identifier};

use super::cursor::Parser;
use crate::token::{Kind, Span};

/// Words that begin a statement of another language, unless they begin a block.
const KEYWORDS: [&str; 16] = [
    "body", "bundle", "case", "class", "define", "elif", "else", "elsif", "for", "foreach", "function", "if",
    "include", "node", "switch", "unless",
];

/// The hint for notifications as Chef writes them.
pub(super) const NOTIFIES: &str =
    "write `notifies = [kind.name.action]`; with a moment, `notifies = { immediately = [kind.name.action] }`";

/// Whether a symbol of Ruby, without its colon, is a moment of a notification.
pub(super) fn is_moment(symbol: &str) -> bool {
    Moment::named(first_word(symbol).0).is_some()
}

/// A mistake, and how to write it.
type Mistake = (String, String);

impl Parser<'_> {
    /// Whether the current token, outside all blocks, starts text in another language. Then it is reported, and parsing
    /// continues where a block starts.
    pub(super) fn foreign_text(&mut self) -> bool {
        let is_start = self.line_start && !matches!(self.current.kind, Kind::Newline | Kind::End);
        let Some((detail, fix)) = is_start.then(|| self.foreign_statement()).flatten() else { return false };
        let error = self.error(Code::ForeignText, detail, self.current.span);
        self.problems.push(error.fix(fix));
        // Line by line: to the lexer, `/*` in a path would start a comment.
        let from = self.lexer.at;
        let mut ends = self.text[from..].match_indices('\n').map(|(i, _)| from + i);
        let is_block = |text: &str| starts_block(text) && foreign_line(text).is_none();
        let end = ends.find(|end| is_block(&self.text[end + 1..])).unwrap_or(self.text.len());
        self.lexer.at = end;
        self.current.span = Span::new(end, end);
        self.step();
        true
    }

    fn foreign_statement(&self) -> Option<Mistake> {
        let colon = || self.lexer.clone().next().kind == Kind::Colon;
        match self.current.kind {
            Kind::Minus => Some(yaml()),
            Kind::Identifier if colon() => Some(yaml()),
            _ => foreign_line(&self.text[self.current.span.start as usize..]),
        }
    }
}

fn language(name: &str, fix: impl Into<String>) -> Mistake {
    (format!("this looks like {name}; a configuration is written in HCL"), fix.into())
}

fn yaml() -> Mistake {
    language("YAML", "write blocks: `file \"/srv/a\" { mode = \"0644\" }`")
}

/// The mistake in the first line of `text`, if it is a statement of another language.
fn foreign_line(text: &str) -> Option<Mistake> {
    let line = text.split('\n').next().unwrap_or_default().trim_end();
    if line.starts_with("{%") || line.starts_with("{{") {
        let fix =
            "write `when = …` or `for_each = …` in a block; `template(FILE, { … })` renders a file of Jinja";
        return Some(language("Jinja", fix));
    }
    let (word, rest) = first_word(line.strip_prefix('$').unwrap_or(line));
    if line.starts_with('$') {
        let fix = format!("write `locals {{ {word} = … }}`, and read it as `local.{word}`");
        return rest.starts_with('=').then(|| language("Puppet", fix));
    }
    // A comment, or a value of an attribute, may end with the word, too.
    if (rest.ends_with(" do") || rest.contains(" do |")) && !line.contains(['{', '=', '#']) {
        let kind = if is_identifier(word) { word } else { "package" };
        let fix = format!("write a block: `{kind} \"name\" {{ … }}`, with `name = value` lines");
        return Some(language("Ruby", fix));
    }
    if word.is_empty() {
        return None;
    }
    let statement = || Some((format!("there is no `{word}` statement"), foreign_kind(word)?.to_owned()));
    if let Some(title) = rest.strip_prefix('{').and_then(|inside| title(inside.trim_start())) {
        let fix = format!("write `{word} {title} {{`, and `name = value` lines without commas");
        return if KEYWORDS.contains(&word) { statement() } else { Some(language("Puppet", fix)) };
    }
    if word.starts_with(char::is_uppercase) && rest.starts_with('[') {
        let fix =
            "write `depends_on = [package.nginx]` or `notifies = [service.nginx.reload]` in the resource";
        return Some(language("Puppet", fix));
    }
    if KEYWORDS.contains(&word) && !begins_block(rest) { statement() } else { None }
}

/// The title of a resource of Puppet, `'nginx':`, in our quotes. Of a list of titles, a placeholder.
fn title(inside: &str) -> Option<String> {
    if inside.starts_with('[') {
        return inside.contains("]:").then(|| "\"name\"".to_owned());
    }
    let of = |quote: char| inside.strip_prefix(quote)?.split_once(quote);
    let (title, rest) = of('\'').or_else(|| of('"'))?;
    rest.trim_start().starts_with(':').then(|| format!("\"{title}\""))
}

/// Whether the rest of a line after its first word makes it a block or an attribute.
fn begins_block(rest: &str) -> bool {
    let is_head = |text: &str| text.starts_with(['"', '{', '=']) && !text.starts_with("==");
    let (label, after) = first_word(rest);
    is_head(rest) || (!label.is_empty() && is_head(after))
}

/// The first word of a line, and the rest without leading spaces.
fn first_word(line: &str) -> (&str, &str) {
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(line.len());
    (&line[..end], line[end..].trim_start())
}

/// Whether the first line of `text` starts a block at the left margin.
fn starts_block(text: &str) -> bool {
    let line = text.split('\n').next().unwrap_or_default();
    let (kind, rest) = line.split_at(line.find([' ', '"', '{']).unwrap_or(line.len()));
    let rest = rest.trim();
    is_identifier(kind) && (rest.starts_with(['"', '{']) || rest.ends_with('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks() {
        let check = |text: &str, expected: bool| assert_eq!(starts_block(text), expected, "{text}");
        check("file \"a\" {\n}", true);
        check("file\"a\" {}", true);
        check("file a {", true);
        check("locals {\n", true);
        check("  file \"a\" {", false);
        check("name: \"a\"", false);
        check("- x {", false);
        check("text\nfile a {", false);
        check("", false);
    }

    /// A kind of the configuration may have such a name.
    #[test]
    fn blocks_are_not_foreign() {
        for text in [
            "class \"app\" {",
            "node web1 {",
            "case = 1",
            "if {",
            "include \"a\" { x = 1 }",
            "locals { a = \"b: c\" }",
            "file \"/a\" {",
            "task \"do\" { apply = \"while true; do\" }",
            "file \"/a\" { # what to do",
            "a = 1 // to do",
            "{ \"a\": 1 }",
            "",
        ] {
            assert_eq!(foreign_line(text), None, "{text}");
        }
    }

    #[test]
    fn every_keyword_has_a_hint() {
        assert!(KEYWORDS.iter().all(|word| foreign_kind(word).is_some()));
    }
}
