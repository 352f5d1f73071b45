//! Graphviz: `uphold graph | dot -Tpdf`.

use std::fmt;

use uphold::model::is_invisible;

use super::colour::{ARROW, Colours, TEXT};
use super::label::{NAME_LENGTH, shorten};
use super::subject::{Drawing, Node};

/// A drawing in the language of Graphviz.
pub(crate) struct Dot<'a>(pub(crate) &'a Drawing);

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colours = Colours::new(self.0.nodes.iter().map(|node| &*node.kind));
        writeln!(f, "digraph uphold {{")?;
        writeln!(f, "  rankdir=LR;")?;
        writeln!(f, "  node [shape=box, style=\"rounded,filled\", fontname=monospace, fontcolor={TEXT:?}];")?;
        writeln!(f, "  edge [fontname=monospace, fontsize=10, color={ARROW:?}, fontcolor={ARROW:?}];")?;
        for (number, node) in self.0.nodes.iter().enumerate() {
            let colour = colours.of(&node.kind);
            write!(f, "  n{number} [label=\"{}\"", Label(node))?;
            writeln!(f, ", fillcolor={:?}, color={:?}];", colour.fill, colour.line)?;
        }
        for edge in &self.0.edges {
            writeln!(f, "  n{} -> n{} [label=\"{}\"];", edge.before, edge.after, Escaped(&edge.reason))?;
        }
        writeln!(f, "}}")
    }
}

struct Label<'a>(&'a Node);

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Escaped(&shorten(&self.0.id, NAME_LENGTH)))?;
        self.0.action.iter().try_for_each(|action| write!(f, "\\n{}", Escaped(action)))
    }
}

/// Text between double quotes. Graphviz reads escapes there, and entities as well.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '"' => f.write_str("\\\""),
            '\\' => f.write_str("\\\\"),
            '&' => f.write_str("&amp;"),
            '\n' => f.write_str("\\n"),
            c if is_invisible(c) => f.write_str("\u{fffd}"),
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
        let text = Dot(&drawing).to_string();
        assert!(text.contains(r##"  n0 [label="directory[\"/etc\"]", fillcolor="#d6e9ff""##), "{text}");
        assert!(
            text.contains(r##"  n1 [label="file[\"/etc/motd\"]\nremove", fillcolor="#ffe7cc""##),
            "{text}"
        );
        assert!(text.ends_with("  n0 -> n1 [label=\"path /etc\"];\n}\n"), "{text}");
    }

    #[test]
    fn nothing_leaves_the_quotes() {
        let check = |text: &str, expected: &str| assert_eq!(Escaped(text).to_string(), expected);
        check(r#"a"b"#, r#"a\"b"#);
        check(r"\N", r"\\N");
        check("<b>", "<b>");
        check("&lt;", "&amp;lt;");
        check("a\nb\0", "a\\nb\u{fffd}");
    }
}
