//! Labels: shortened, escaped for XML, and measured.

use std::fmt;

use unicode_width::UnicodeWidthStr;
use uphold::model::is_invisible;

/// The longest name of a node, in characters.
pub(super) const NAME_LENGTH: usize = 60;

/// The longest reason of an edge, in characters.
pub(super) const REASON_LENGTH: usize = 80;

/// Cuts out the middle of a text with more than `limit` characters, because both ends of a path matter.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let head = (limit - 1) / 2;
    let tail = limit - 1 - head;
    text.chars().take(head).chain(['…']).chain(text.chars().skip(length - tail)).collect()
}

/// Text escaped for XML.
pub(super) struct Xml<'a>(pub(super) &'a str);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            // XML cannot represent these at all.
            c if is_invisible(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_str("\u{fffd}"),
            c => write!(f, "{c}"),
        })
    }
}

/// The width of `text` in a monospaced font of this size, whose characters are about 0.6 times as wide as high.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.width() as f64 * size * 0.602
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_out_the_middle() {
        let check = |text: &str, limit, expected: &str| assert_eq!(shorten(text, limit), expected);
        check("/etc/motd", 9, "/etc/motd");
        check("/etc/motd", 8, "/et…motd");
        check("äöüäöü", 5, "äö…öü");
        check("", 5, "");
    }

    #[test]
    fn escapes_markup() {
        let check = |text: &str, expected: &str| assert_eq!(Xml(text).to_string(), expected);
        check("<a href=\"x\">&amp;", "&lt;a href=&quot;x&quot;&gt;&amp;amp;");
        check("a\0\u{7}\u{ffff}", "a\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(width("漢字", 10.0), width("abcd", 10.0));
    }
}
