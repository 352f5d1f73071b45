//! Graphviz and Mermaid.

use std::fmt;

use super::graph::{Graph, Node};
use super::label::{NAME_LENGTH, escape, shorten};

/// A graph in the language of Graphviz: `uphold graph | dot -Tpdf`.
pub(crate) struct Dot<'a>(pub(crate) &'a Graph);

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digraph uphold {{")?;
        writeln!(f, "  rankdir=LR;")?;
        writeln!(f, "  node [shape=box, style=\"rounded,filled\", fontname=monospace, fontcolor={TEXT:?}];")?;
        writeln!(f, "  edge [fontname=monospace, fontsize=10, color={ARROW:?}, fontcolor={ARROW:?}];")?;
        for (number, node) in self.0.nodes.iter().enumerate() {
            let colour = colour(node.kind_number);
            write!(f, "  n{number} [label=\"{}\"", label(node, "\\n", escape_dot))?;
            writeln!(f, ", fillcolor={:?}, color={:?}];", colour.fill, colour.line)?;
        }
        for edge in &self.0.edges {
            writeln!(f, "  n{} -> n{} [label=\"{}\"];", edge.before, edge.after, escape_dot(&edge.reason))?;
        }
        writeln!(f, "}}")
    }
}

/// A graph in the language of Mermaid, which many web pages draw.
pub(crate) struct Mermaid<'a>(pub(crate) &'a Graph);

impl fmt::Display for Mermaid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "flowchart LR")?;
        for (number, node) in self.0.nodes.iter().enumerate() {
            writeln!(f, "  n{number}[\"{}\"]", label(node, "<br/>", escape_mermaid))?;
        }
        for edge in &self.0.edges {
            writeln!(f, "  n{} -->|\"{}\"| n{}", edge.before, escape_mermaid(&edge.reason), edge.after)?;
        }
        for number in 0..self.0.kinds() {
            let colour = colour(number);
            writeln!(f, "  classDef k{number} fill:{},stroke:{},color:{TEXT}", colour.fill, colour.line)?;
        }
        for (number, node) in self.0.nodes.iter().enumerate() {
            writeln!(f, "  class n{number} k{}", node.kind_number)?;
        }
        Ok(())
    }
}

/// The id of the resource and, on a second line, the action.
fn label(node: &Node, line_break: &str, escape: fn(&str) -> String) -> String {
    let id = escape(&shorten(&node.wire.resource, NAME_LENGTH));
    match node.special_action() {
        Some(action) => format!("{id}{line_break}{}", escape(action)),
        None => id,
    }
}

/// Text in double quotes, in which Graphviz interprets escapes and entities.
fn escape_dot(text: &str) -> String {
    escape(text, |character| match character {
        '"' | '\\' => Some(format!("\\{character}")),
        '&' => Some("&amp;".to_owned()),
        '\n' => Some("\\n".to_owned()),
        _ => None,
    })
}

/// Text in double quotes. Characters that mean something in Mermaid, Markdown or HTML become numeric entities; so does
/// the colon, because Mermaid interprets `style…:…#…;` even in quotes.
fn escape_mermaid(text: &str) -> String {
    escape(text, |character| match character {
        '\n' => Some("<br/>".to_owned()),
        _ if "\"#&<>`\\;:%{}|*_~$".contains(character) => Some(format!("#{};", u32::from(character))),
        _ => None,
    })
}

// One colour per kind, the same in every format and in every run.

/// The fill and line of a box. The fill is light and the text dark, so that a box is readable on any background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour {
    pub(super) fill: &'static str,
    pub(super) line: &'static str,
}

/// The colour of text in boxes.
pub(super) const TEXT: &str = "#1f2328";

/// The colour of edges: as far from white as from black.
pub(super) const ARROW: &str = "#8a929b";

const PALETTE: [Colour; 12] = [
    Colour { fill: "#d6e9ff", line: "#2f74c0" },
    Colour { fill: "#ffe7cc", line: "#b86a14" },
    Colour { fill: "#dcf4d9", line: "#2f8a3c" },
    Colour { fill: "#f1e1fb", line: "#8745b5" },
    Colour { fill: "#ffdede", line: "#c43d3d" },
    Colour { fill: "#d3f3f1", line: "#1b857f" },
    Colour { fill: "#fbf1c4", line: "#957b0b" },
    Colour { fill: "#fbdcec", line: "#b83b7d" },
    Colour { fill: "#e1e3fd", line: "#5157c9" },
    Colour { fill: "#ecebdc", line: "#77724b" },
    Colour { fill: "#e4e8ec", line: "#5d6b79" },
    Colour { fill: "#efe0d6", line: "#8d5c3c" },
];

/// The colour of a kind, by its number: up to twelve kinds never share one.
pub(super) fn colour(kind_number: usize) -> Colour {
    PALETTE[kind_number % PALETTE.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_labels_nodes_and_edges() {
        let drawing = Graph::of(
            &[("directory", "/etc", "converge"), ("file", "/etc/motd", "remove")],
            &[(0, 1, "path /etc")],
        );
        let text = Dot(&drawing).to_string();
        assert!(text.contains(r##"  n0 [label="directory[\"/etc\"]", fillcolor="#d6e9ff""##), "{text}");
        assert!(
            text.contains(r##"  n1 [label="file[\"/etc/motd\"]\nremove", fillcolor="#ffe7cc""##),
            "{text}"
        );
        assert!(text.ends_with("  n0 -> n1 [label=\"path /etc\"];\n}\n"), "{text}");
    }

    #[test]
    fn dot_escapes_special_characters() {
        let check = |text: &str, expected: &str| assert_eq!(escape_dot(text), expected);
        check(r#"a"b"#, r#"a\"b"#);
        check(r"\N", r"\\N");
        check("<b>", "<b>");
        check("&lt;", "&amp;lt;");
        check("a\nb\0", "a\\nb\u{fffd}");
    }

    #[test]
    fn mermaid_labels_nodes_and_edges() {
        let drawing = Graph::of(
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
    fn mermaid_escapes_special_characters() {
        let check = |text: &str, expected: &str| assert_eq!(escape_mermaid(text), expected);
        check(r#"a"b"#, "a#34;b");
        check("<b>&amp;", "#60;b#62;#38;amp#59;");
        check("#35;", "#35;35#59;");
        check("style:x", "style#58;x");
        check("`a`\\n|", "#96;a#96;#92;n#124;");
        check("a\nb\0", "a<br/>b\u{fffd}");
    }
}
