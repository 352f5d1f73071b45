//! The structure of a page, and pages from doc comments.

/// The blocks of a page, from top to bottom.
pub(crate) type Page = Vec<Block>;

/// A block of a page. Its text is Markdown without line ends.
#[derive(Debug, PartialEq)]
pub(crate) enum Block {
    /// The subject of the page; the first block.
    Title(String),
    Heading(&'static str),
    Text(String),
    /// Preformatted lines.
    Code(String),
    Properties(Vec<Row>),
    /// Terms and their definitions.
    Terms(Vec<(String, String)>),
}

/// A row of a table of properties.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    /// The name with its path in nested structs: `status.stdout`.
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) role: &'static str,
    /// Whether it is required, and its default.
    pub(crate) presence: String,
    /// Its meaning and its rules.
    pub(crate) text: String,
}

/// A title, an introduction, and a heading with blocks for each section.
pub(super) fn sections(
    title: &str,
    about: &str,
    all: impl IntoIterator<Item = (&'static str, Page)>,
) -> Page {
    let mut page = vec![Block::Title(title.to_owned()), Block::Text(about.to_owned())];
    for (heading, blocks) in all {
        page.push(Block::Heading(heading));
        page.extend(blocks);
    }
    page
}

/// A title, a list of terms, and the command that shows more about one of them.
pub(super) fn list_page(title: &str, terms: Vec<(String, String)>, placeholder: &str) -> Page {
    vec![
        Block::Title(title.to_owned()),
        Block::Terms(terms),
        Block::Text(format!("`uphold explain {placeholder}` shows more about each.")),
    ]
}

/// The blocks of a doc comment.
pub(super) fn doc_blocks(doc: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut code: Option<Vec<&str>> = None;
    for line in doc.lines() {
        match (&mut code, line.trim_start().starts_with("```")) {
            (Some(lines), true) => {
                blocks.push(Block::Code(lines.join("\n")));
                code = None;
            }
            (Some(lines), false) => lines.push(line),
            (None, fence) => {
                if fence || line.trim().is_empty() || is_item(line) {
                    end_paragraph(&mut paragraph, &mut blocks);
                }
                if fence {
                    code = Some(Vec::new());
                } else if !line.trim().is_empty() {
                    paragraph.push(line.trim());
                }
            }
        }
    }
    end_paragraph(&mut paragraph, &mut blocks);
    blocks.extend(code.map(|lines| Block::Code(lines.join("\n"))));
    blocks
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

fn end_paragraph(paragraph: &mut Vec<&str>, blocks: &mut Vec<Block>) {
    if !paragraph.is_empty() {
        blocks.push(Block::Text(std::mem::take(paragraph).join(" ")));
    }
}

/// The paragraphs of a doc comment, joined.
pub(super) fn doc_text(doc: &str) -> String {
    let text = |block| match block {
        Block::Text(text) => Some(text),
        _ => None,
    };
    doc_blocks(doc).into_iter().filter_map(text).collect::<Vec<_>>().join(" ")
}

/// The code blocks of a doc comment.
pub(super) fn doc_code(doc: &str) -> impl Iterator<Item = String> {
    doc_blocks(doc).into_iter().filter_map(|block| match block {
        Block::Code(code) => Some(code),
        _ => None,
    })
}

/// The first sentence of a doc comment.
pub(crate) fn summary(doc: &str) -> String {
    let Some(Block::Text(first)) = doc_blocks(doc).into_iter().next() else { return String::new() };
    match first.find(". ") {
        Some(end) => first[..=end].to_owned(),
        None => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doc_comments_are_split_into_blocks() {
        let text = |text: &str| Block::Text(text.to_owned());
        let doc = "One\nfile. More.\n\n- a\n- b\n  c\n\n```hcl\nfile \"x\" {\n}\n```\nend";
        let block = Block::Code("file \"x\" {\n}".to_owned());
        let expected = [text("One file. More."), text("- a"), text("- b c"), block, text("end")];
        assert_eq!(doc_blocks(doc), expected);
        assert_eq!(summary(doc), "One file.");
        assert_eq!(doc_code(doc).collect::<Vec<_>>(), ["file \"x\" {\n}"]);
        assert_eq!(doc_text(doc), "One file. More. - a - b c end");
    }

    #[test]
    fn keeps_code_without_a_closing_fence() {
        assert_eq!(doc_blocks("```\nx"), [Block::Code("x".to_owned())]);
        assert_eq!(summary(""), "");
    }
}
