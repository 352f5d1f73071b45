//! The context of one position in a text, for completion.

use std::ops::Range;

use uphold_model::Name;

use super::contents::PathStep;
use super::spot_scan::SpotScan;

/// A position in a text, and what can be written there.
#[derive(Debug, PartialEq, Eq)]
pub struct Spot {
    /// The enclosing blocks, outermost first.
    pub blocks: Vec<SpotBlock>,
    /// The expected kind of text.
    pub expected: Expected,
    /// The word at or next to the position; for a string, the part between the quotes; empty if there is none.
    pub word: Range<usize>,
}

/// An enclosing block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpotBlock {
    /// Its keyword.
    pub kind: Name,
    /// Its labels.
    pub labels: Vec<Name>,
    /// The start of its keyword.
    pub start: usize,
}

/// The kind of text that is expected at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Nothing to complete: a comment, plain text, the key of an object.
    Nothing,
    /// The first word of a line: the kind of a block, or an attribute.
    Name,
    /// A label.
    Label {
        /// The block's keyword.
        kind: Name,
        /// The preceding labels.
        before: Vec<Name>,
    },
    /// The first word of an expression: the root of a path, or a function.
    Word {
        /// The attribute that the value belongs to.
        attribute: Name,
        /// Whether the value contains nothing else so far.
        whole: bool,
    },
    /// A further step of a path.
    Step {
        /// The attribute that the value belongs to.
        attribute: Name,
        /// The preceding path.
        before: Vec<PathStep>,
        /// Whether it is in quotes and brackets.
        quoted: bool,
    },
    /// A quoted string.
    Text {
        /// The attribute that the value belongs to.
        attribute: Name,
        /// Whether the value contains nothing else so far.
        whole: bool,
    },
}

/// The context of byte `offset` in a text that may be unfinished.
///
/// Reads the text before the position and the word at it, but not the text that follows, which is often not written
/// yet. Takes time linear in the text.
pub fn spot(text: &str, offset: usize) -> Spot {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    SpotScan::new(text, offset).run()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` marks the position.
    fn shown(text: &str) -> String {
        let offset = text.find('|').expect("a place is marked");
        let text = text.replacen('|', "", 1);
        let spot = spot(&text, offset);
        let blocks: Vec<String> = spot
            .blocks
            .iter()
            .map(|block| {
                assert!(text[block.start..].starts_with(&*block.kind));
                block.labels.iter().fold(block.kind.to_string(), |head, label| format!("{head} {label}"))
            })
            .collect();
        let path = |steps: &[PathStep]| -> String {
            let step = |step: &PathStep| {
                let name = step.name.as_deref().unwrap_or("?");
                if step.index { format!("[{name}]") } else { name.to_owned() }
            };
            steps.iter().map(step).collect::<Vec<_>>().join(".")
        };
        let expected = match &spot.expected {
            Expected::Nothing => "nothing".to_owned(),
            Expected::Name => "name".to_owned(),
            Expected::Label { kind, before } => format!("label of {kind} {before:?}"),
            Expected::Word { attribute, whole } => format!("word of {attribute} {whole}"),
            Expected::Step { attribute, before, quoted } => {
                format!("step of {attribute} {} {quoted}", path(before))
            }
            Expected::Text { attribute, whole } => format!("text of {attribute} {whole}"),
        };
        format!("{}: {expected} `{}`", blocks.join("/"), &text[spot.word])
    }

    #[test]
    fn names_and_labels() {
        let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text}");
        check("|", ": name ``");
        check("fi|le", ": name `file`");
        check("file |", ": label of file [] ``");
        check("file \"/etc/m|o\" {", ": label of file [] `/etc/mo`");
        check("edit \"file\" \"|", ": label of edit [\"file\"] ``");
        check("file \"x\" {\n  |\n}", "file x: name ``");
        check("file \"x\" {\n  mo|\n}", "file x: name `mo`");
        check("file \"x\" {\n  a = 1\n  |", "file x: name ``");
        check("file \"x\" { |", "file x: name ``");
        check("file \"x\" {\n}\n|", ": name ``");
        check("file \"x\" {\n  a = [\n\nlog \"y\" {\n  |", "log y: name ``");
        check("file \"x\" {\n  a = [1,\n  b = |", "file x: word of b true ``");
        check("file \"x\" {\n  a = \"${b\n  c = |", "file x: word of c true ``");
        check("file \"x\" {\n  a = \"b\n  |", "file x: name ``");
        check("sequence {\n  log m {\n    |", "sequence/log m: name ``");
        check("file \"x\" {\n  # a|\n}", "file x: nothing ``");
        check("file \"x\" {\n  /* a */ b|\n}", "file x: name `b`");
        check("file \"x\" {\n  /* a|", "file x: nothing ``");
    }

    #[test]
    fn values() {
        let check = |value: &str, expected: &str| {
            assert_eq!(
                shown(&format!("log \"l\" {{\n  m = {value}")),
                format!("log l: {expected}"),
                "{value}"
            );
        };
        check("|", "word of m true ``");
        check("tr|\n}", "word of m true `tr`");
        check("1 + f|", "word of m false `f`");
        check("file.|\n}", "step of m file false ``");
        check("file.motd.|\n  b = 1", "step of m file.motd false ``");
        check("fi|le.motd", "word of m true `file`");
        check("file.mo|td.x", "step of m file false `motd`");
        check("file[\"/e|tc\"]", "step of m file true `/etc`");
        check("file[\"/etc\"].m|", "step of m file.[/etc] false `m`");
        check("file.a[each.key].m|", "step of m file.a.[?] false `m`");
        check("file.a[each.|", "step of m each false ``");
        check("file.a[*].|", "step of m file.a.[?] false ``");
        check("a.0.|", "step of m a.0 false ``");
        check("[file.a, local.|]", "step of m local false ``");
        check("upper(|", "word of m false ``");
        check("upper(local.a).|", "nothing ``");
        check("\"in|fo\"", "text of m true `info`");
        check("\"in|", "text of m true `in`");
        check("\"a ${|", "word of m false ``");
        check("\"a ${file.|} b\"", "step of m file false ``");
        check("\"a ${x} b|\"", "text of m false ` b`");
        check("\"a %{ if param.|", "step of m param false ``");
        check("<<END\n a|", "nothing ``");
        check("<<-END\n a ${local.|}\n END", "step of m local false ``");
        check("<<END\nx\nEND\n  b = lo|", "word of b true `lo`");
        check("{ a|", "nothing `a`");
        check("{ a = b|", "word of m false `b`");
        check("{ a = 1\n b|", "nothing `b`");
        check("{ for k, v in local.|", "step of m local false ``");
        check("\"ä\\\" ${\"x${y.|", "step of m y false ``");
        check("1 .|", "nothing ``");
    }

    /// Text that is cut off anywhere has a context.
    #[test]
    fn every_position_has_a_context() {
        let text = "f \"ä${x[\"y\"]}\" {\n a = \"€\\ü ${b.c[\"d\"].e(\"%{if}\")} \\\n k = <<-Ä\n ${ö}\n Ä\n}}]) /* #\n\"";
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            for offset in 0..=end {
                let found = spot(&text[..end], offset);
                assert!(text.get(found.word.clone()).is_some(), "{end} {offset} {found:?}");
            }
        }
    }
}
