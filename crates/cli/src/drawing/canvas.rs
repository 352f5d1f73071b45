//! Text in XML: escaped, and measured.

use std::fmt;

use unicode_width::UnicodeWidthStr;
use uphold::model::is_invisible;

/// Text that is read as text, whatever is in it.
pub(super) struct Xml<'a>(pub(super) &'a str);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            // XML has no way to write these at all.
            c if is_invisible(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_str("\u{fffd}"),
            c => write!(f, "{c}"),
        })
    }
}

/// How wide `text` is in a font of equally wide characters of this size: such fonts are six tenths
/// as wide as high, or a little less.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.width() as f64 * size * 0.602
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        let check = |text: &str, expected: &str| assert_eq!(Xml(text).to_string(), expected);
        check("<a href=\"x\">&amp;", "&lt;a href=&quot;x&quot;&gt;&amp;amp;");
        check("a\0\u{7}\u{ffff}", "a\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(width("漢字", 10.0), width("abcd", 10.0));
    }
}
