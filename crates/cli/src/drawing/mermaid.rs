//! Mermaid, which many web pages draw by themselves.

use std::fmt;

use uphold::model::is_invisible;

use super::colour::{Colours, TEXT};
use super::label::{NAME_LENGTH, shorten};
use super::subject::{Drawing, Node};

/// A drawing in the language of Mermaid.
pub(crate) struct Mermaid<'a>(pub(crate) &'a Drawing);

impl fmt::Display for Mermaid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colours = Colours::new(self.0.nodes.iter().map(|node| &*node.kind));
        writeln!(f, "flowchart LR")?;
        for (number, node) in self.0.nodes.iter().enumerate() {
            writeln!(f, "  n{number}[\"{}\"]", Label(node))?;
        }
        for edge in &self.0.edges {
            writeln!(f, "  n{} -->|\"{}\"| n{}", edge.before, Escaped(&edge.reason), edge.after)?;
        }
        for (number, (_, colour)) in colours.iter().enumerate() {
            writeln!(f, "  classDef k{number} fill:{},stroke:{},color:{TEXT}", colour.fill, colour.line)?;
        }
        for (number, node) in self.0.nodes.iter().enumerate() {
            writeln!(f, "  class n{number} k{}", colours.number(&node.kind))?;
        }
        Ok(())
    }
}

struct Label<'a>(&'a Node);

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Escaped(&shorten(&self.0.id, NAME_LENGTH)))?;
        self.0.action.iter().try_for_each(|action| write!(f, "<br/>{}", Escaped(action)))
    }
}

/// Text between double quotes. Whatever Mermaid, Markdown or HTML could read as their own goes as
/// a numbered entity; the colon, too, because Mermaid looks for `style…:…#…;` even inside quotes.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '\n' => f.write_str("<br/>"),
            c if is_invisible(c) => f.write_str("\u{fffd}"),
            '"' | '#' | '&' | '<' | '>' | '`' | '\\' | ';' | ':' | '%' | '{' | '}' | '|' | '*' | '_'
            | '~' | '$' => write!(f, "#{};", u32::from(c)),
            c => write!(f, "{c}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_have_labels() {
        let drawing = Drawing::of(
            &[("directory", "/etc", "converge"), ("file", "/etc/motd", "remove")],
            &[(0, 1, "path /etc")],
        );
        let expected = "\
flowchart LR
  n0[\"directory[#34;/etc#34;]\"]
  n1[\"file[#34;/etc/motd#34;]<br/>remove\"]
  n0 -->|\"path /etc\"| n1
  classDef k0 fill:#d6e9ff,stroke:#2f74c0,color:#1f2328
  classDef k1 fill:#ffe7cc,stroke:#b86a14,color:#1f2328
  class n0 k0
  class n1 k1
";
        assert_eq!(Mermaid(&drawing).to_string(), expected);
    }

    #[test]
    fn nothing_leaves_the_quotes() {
        let check = |text: &str, expected: &str| assert_eq!(Escaped(text).to_string(), expected);
        check(r#"a"b"#, "a#34;b");
        check("<b>&amp;", "#60;b#62;#38;amp#59;");
        check("#35;", "#35;35#59;");
        check("style:x", "style#58;x");
        check("`a`\\n|", "#96;a#96;#92;n#124;");
        check("a\nb\0", "a<br/>b\u{fffd}");
    }
}
