//! Pages as Markdown, for `docs/reference` and editors.

use std::fmt;

use super::block::{Block, Row};

pub(crate) struct Markdown<'a>(pub(crate) &'a [Block]);

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, block) in self.0.iter().enumerate() {
            if number > 0 && !is_item_after_item(&self.0[number - 1], block) {
                writeln!(f)?;
            }
            write_block(f, block)?;
        }
        Ok(())
    }
}

fn is_item_after_item(before: &Block, block: &Block) -> bool {
    let is_item = |block: &Block| matches!(block, Block::Text(text) if text.starts_with("- "));
    is_item(before) && is_item(block)
}

fn write_block(f: &mut fmt::Formatter<'_>, block: &Block) -> fmt::Result {
    match block {
        Block::Title(text) => writeln!(f, "# {text}"),
        Block::Heading(text) => writeln!(f, "## {text}"),
        Block::Text(text) => writeln!(f, "{text}"),
        Block::Code(text) => writeln!(f, "```hcl\n{text}\n```"),
        Block::Properties(rows) => write_table(f, rows),
        Block::Terms(terms) => terms.iter().try_for_each(|(term, text)| writeln!(f, "- `{term}`: {text}")),
    }
}

fn write_table(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    writeln!(f, "| property | type | role | set | meaning |")?;
    writeln!(f, "| --- | --- | --- | --- | --- |")?;
    for row in rows {
        let Row { name, ty, role, presence, text } = row;
        writeln!(f, "| `{name}` | {} | {role} | {} | {} |", cell(ty), cell(presence), cell(text))?;
    }
    Ok(())
}

/// Escapes bars, which would end the cell, even in code.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_markdown() {
        let row = Row {
            name: "mode".to_owned(),
            ty: "mode".to_owned(),
            role: "state",
            presence: "`a|b`".to_owned(),
            text: "Bits.".to_owned(),
        };
        let page = [
            Block::Title("file".to_owned()),
            Block::Text("One file.".to_owned()),
            Block::Text("- a".to_owned()),
            Block::Text("- b".to_owned()),
            Block::Code("file \"x\" {}".to_owned()),
            Block::Properties(vec![row]),
            Block::Terms(vec![("touch".to_owned(), "Newer.".to_owned())]),
        ];
        let expected = "\
# file

One file.

- a
- b

```hcl
file \"x\" {}
```

| property | type | role | set | meaning |
| --- | --- | --- | --- | --- |
| `mode` | mode | state | `a\\|b` | Bits. |

- `touch`: Newer.
";
        assert_eq!(Markdown(&page).to_string(), expected);
    }
}
