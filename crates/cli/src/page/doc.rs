//! Doc comments: paragraphs, lists and code.

use super::block::Block;

/// The blocks of a doc comment.
pub(super) fn blocks(doc: &str) -> Vec<Block> {
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
                    end(&mut paragraph, &mut blocks);
                }
                if fence {
                    code = Some(Vec::new());
                } else if !line.trim().is_empty() {
                    paragraph.push(line.trim());
                }
            }
        }
    }
    end(&mut paragraph, &mut blocks);
    blocks.extend(code.map(|lines| Block::Code(lines.join("\n"))));
    blocks
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

fn end(paragraph: &mut Vec<&str>, blocks: &mut Vec<Block>) {
    if !paragraph.is_empty() {
        blocks.push(Block::Text(std::mem::take(paragraph).join(" ")));
    }
}

/// The paragraphs of a doc comment as one.
pub(super) fn flat(doc: &str) -> String {
    let text = |block| match block {
        Block::Text(text) => Some(text),
        _ => None,
    };
    blocks(doc).into_iter().filter_map(text).collect::<Vec<_>>().join(" ")
}

/// The code in a doc comment, in its order.
pub(super) fn codes(doc: &str) -> impl Iterator<Item = String> {
    blocks(doc).into_iter().filter_map(|block| match block {
        Block::Code(code) => Some(code),
        _ => None,
    })
}

/// The first sentence of a doc comment.
pub(crate) fn summary(doc: &str) -> String {
    let Some(Block::Text(first)) = blocks(doc).into_iter().next() else { return String::new() };
    match first.find(". ") {
        Some(end) => first[..=end].to_owned(),
        None => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_fall_into_blocks() {
        let text = |text: &str| Block::Text(text.to_owned());
        let doc = "One\nfile. More.\n\n- a\n- b\n  c\n\n```hcl\nfile \"x\" {\n}\n```\nend";
        let block = Block::Code("file \"x\" {\n}".to_owned());
        let expected = [text("One file. More."), text("- a"), text("- b c"), block, text("end")];
        assert_eq!(blocks(doc), expected);
        assert_eq!(summary(doc), "One file.");
        assert_eq!(codes(doc).collect::<Vec<_>>(), ["file \"x\" {\n}"]);
        assert_eq!(flat(doc), "One file. More. - a - b c end");
    }

    #[test]
    fn a_fence_without_end_loses_nothing() {
        assert_eq!(blocks("```\nx"), [Block::Code("x".to_owned())]);
        assert_eq!(summary(""), "");
    }
}
