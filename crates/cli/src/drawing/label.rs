//! Labels: shortened, escaped for XML, and measured.

use unicode_width::UnicodeWidthStr;
use uphold::model::is_invisible;

use crate::report::markup_entity;

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

/// Replaces characters that have a meaning in a format, and invisible ones, which may have one on a terminal.
pub(super) fn escape(text: &str, replacement: impl Fn(char) -> Option<String>) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match replacement(character) {
            Some(replacement) => escaped.push_str(&replacement),
            None if is_invisible(character) => escaped.push('\u{fffd}'),
            None => escaped.push(character),
        }
    }
    escaped
}

/// Text escaped for XML, which cannot represent the last two characters of the basic plane at all.
pub(super) fn escape_xml(text: &str) -> String {
    escape(text, |character| {
        Some(match character {
            '\u{fffe}' | '\u{ffff}' => "\u{fffd}".to_owned(),
            _ => markup_entity(character)?.to_owned(),
        })
    })
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
        let check = |text: &str, expected: &str| assert_eq!(escape_xml(text), expected);
        check("<a href=\"x\">&amp;", "&lt;a href=&quot;x&quot;&gt;&amp;amp;");
        check("a\0\u{7}\u{ffff}", "a\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(width("漢字", 10.0), width("abcd", 10.0));
    }
}
