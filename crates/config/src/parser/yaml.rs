//! YAML instead of HCL: reported once, not for each line.

use uphold_model::{Code, is_identifier};

use super::cursor::Parser;
use crate::token::{Kind, Span};

impl Parser<'_> {
    /// Whether the current token, outside all blocks, starts a line such as `name: value`, `- name` or `---`.
    pub(super) fn looks_like_yaml(&self) -> bool {
        let colon = || self.lexer.clone().next().kind == Kind::Colon;
        self.line_start && (self.current.kind == Kind::Minus || colon())
    }

    /// Reports it, and continues where a block starts.
    pub(super) fn yaml(&mut self) {
        let error = self.error(
            Code::YamlText,
            "this looks like YAML; a configuration is written in HCL",
            self.current.span,
        );
        self.problems.push(error.fix("write blocks: `file \"/srv/a\" { mode = \"0644\" }`"));
        // Line by line: to the lexer, `/*` in a path would start a comment.
        let from = self.lexer.at;
        let mut ends = self.text[from..].match_indices('\n').map(|(i, _)| from + i);
        let end = ends.find(|end| starts_block(&self.text[end + 1..])).unwrap_or(self.text.len());
        self.lexer.at = end;
        self.current.span = Span::new(end, end);
        self.step();
    }
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
    use super::starts_block;

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
}
