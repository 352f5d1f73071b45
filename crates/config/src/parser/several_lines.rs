//! Quoted strings over several lines: a mistake whose end can be guessed.

use uphold_model::is_identifier;

/// The maximum number of lines of such a string. A longer search costs time and guesses worse.
const LINES: usize = 20;

/// The position of the closing quote, if an unclosed string on the line before `line_end` seems to continue.
///
/// It does if a line with an odd number of quotes comes before any line that looks like configuration.
pub(super) fn end_on_later_line(text: &str, line_end: usize) -> Option<usize> {
    let mut start = line_end + 1;
    for line in text.get(start..)?.split('\n').take(LINES) {
        if looks_like_configuration(line) {
            return None;
        }
        let quotes = || quotes(line);
        if quotes().count() % 2 == 1 {
            return quotes().next().map(|i| start + i);
        }
        start += line.len() + 1;
    }
    None
}

/// The positions of unescaped quotes.
fn quotes(line: &str) -> impl Iterator<Item = usize> {
    line.match_indices('"').map(|(i, _)| i).filter(|&i| !line[..i].ends_with('\\'))
}

fn looks_like_configuration(line: &str) -> bool {
    let line = line.trim();
    let (first, rest) = line.split_once([' ', '=']).unwrap_or((line, ""));
    let assigns = rest.trim_start().starts_with(['=', '"']) || line[first.len()..].starts_with('=');
    line == "}" || line.ends_with('{') || (is_identifier(first) && assigns)
}

#[cfg(test)]
mod tests {
    use super::end_on_later_line;

    #[test]
    fn ends() {
        let check =
            |text: &str, expected: Option<usize>| assert_eq!(end_on_later_line(text, 0), expected, "{text}");
        check("\nb\"\n", Some(2));
        check("\n\nsay \\\"b\"\n}", Some(9));
        check("\n  w = \"x\n}\n", None);
        check("\n}\nx\"\n", None);
        check("\n  env {\n\"\n", None);
        check("\na \"b\" c\n", None);
        check("", None);
    }
}
