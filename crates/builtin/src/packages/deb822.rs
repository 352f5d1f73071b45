//! Paragraphs of `Name: value` fields, as dpkg and apt write them.

/// The paragraphs of a text with their fields. Continuation lines and comments are skipped: the fields needed here
/// have a single line.
pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = impl Iterator<Item = (&str, &str)>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('\n');
        if rest.is_empty() {
            return None;
        }
        let (paragraph, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
        rest = after;
        Some(paragraph.lines().filter_map(field))
    })
}

fn field(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', '#']) {
        return None;
    }
    line.split_once(':').map(|(name, value)| (name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_paragraphs() {
        let check = |text: &str, expected: &[&[(&str, &str)]]| {
            let found: Vec<Vec<_>> = paragraphs(text).map(Iterator::collect).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("", &[]);
        check("A: 1\nB:2\n", &[&[("A", "1"), ("B", "2")]]);
        check("A: 1\n more: x\n.\nB: u:v\n\n\nA: 2", &[&[("A", "1"), ("B", "u:v")], &[("A", "2")]]);
        check("# C: 1\nA: 1\n", &[&[("A", "1")]]);
    }
}
