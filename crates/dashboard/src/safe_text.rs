//! Escapes, cuts and wraps untrusted text for the terminal.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const ELLIPSIS: char = '…';

pub(crate) use uphold::model::is_invisible as is_command;

/// One line that cannot control the terminal: newlines and tabs become spaces, other control characters are shown as
/// escapes.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_command) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' | '\t' => safe.push(' '),
            '\r' => {}
            command if is_command(command) => safe.extend(command.escape_default()),
            other => safe.push(other),
        }
    }
    Cow::Owned(safe)
}

/// The number of columns of a text.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The beginning of a text that fits, with an ellipsis if the text was cut.
pub(crate) fn cut(text: &str, room: usize) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let mut cut: String = head(text, room.saturating_sub(1)).to_owned();
    if room > 0 {
        cut.push(ELLIPSIS);
    }
    Cow::Owned(cut)
}

/// The beginning and the end of a text that does not fit: names differ most at their end.
pub(crate) fn squeeze(text: &str, room: usize) -> Cow<'_, str> {
    if width(text) <= room || room < 3 {
        return cut(text, room);
    }
    let (first, last) = ((room - 1) / 3, (room - 1) - (room - 1) / 3);
    Cow::Owned(format!("{}{ELLIPSIS}{}", head(text, first), tail(text, last)))
}

fn head(text: &str, room: usize) -> &str {
    let mut left = room;
    let end = text.char_indices().find(|(_, character)| !takes(*character, &mut left));
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

fn tail(text: &str, room: usize) -> &str {
    let mut left = room;
    let end = text.char_indices().rev().find(|(_, character)| !takes(*character, &mut left));
    &text[end.map_or(0, |(at, character)| at + character.len_utf8())..]
}

/// Subtracts the width of a character from `left`; false if it does not fit.
fn takes(character: char, left: &mut usize) -> bool {
    let wide = character.width().unwrap_or(0);
    let fits = wide <= *left;
    *left = left.saturating_sub(wide);
    fits
}

/// Lines of at most this many columns, broken between words where that is possible. Line ends stay, but no more than
/// `most` lines are made.
pub(crate) fn wrap(text: &str, room: usize, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let paragraph = clean(paragraph);
        let mut rest = paragraph.trim_end();
        loop {
            if lines.len() == most {
                return lines;
            }
            let line = first_line(rest, room.max(2));
            lines.push(line.trim_end().to_owned());
            rest = rest[line.len()..].trim_start();
            if rest.is_empty() {
                break;
            }
        }
    }
    lines
}

fn first_line(text: &str, room: usize) -> &str {
    let fits = head(text, room);
    if text[fits.len()..].is_empty() || text[fits.len()..].starts_with(' ') {
        return fits;
    }
    match fits.rfind(' ') {
        Some(space) if !fits[..space].trim().is_empty() => &fits[..space],
        _ => fits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleans_untrusted_text() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected);
        check("plain", "plain");
        check("two\r\nlines\tand a tab", "two lines and a tab");
        check("a\u{1b}[31mred\u{7}", r"a\u{1b}[31mred\u{7}");
        check("c1 \u{9b}31m", r"c1 \u{9b}31m");
        check("trojan\u{202e}txt", r"trojan\u{202e}txt");
    }

    #[test]
    fn cuts_text_with_an_ellipsis() {
        let check = |text: &str, room, cut_to: &str, squeezed_to: &str| {
            assert_eq!(cut(text, room), cut_to);
            assert_eq!(squeeze(text, room), squeezed_to);
            assert!(width(&cut(text, room)) <= room && width(&squeeze(text, room)) <= room);
        };
        check("text", 4, "text", "text");
        check("/etc/nginx/conf.d/site.conf", 12, "/etc/nginx/…", "/et…ite.conf");
        check("東京都千代田区", 7, "東京都…", "東…田区");
        check("abc", 2, "a…", "a…");
        check("abc", 0, "", "");
    }

    #[test]
    fn wraps_lines_between_words() {
        let check = |text: &str, room, expected: &[&str]| assert_eq!(wrap(text, room, 4), expected, "{text}");
        check("", 10, &[]);
        check("one two three", 8, &["one two", "three"]);
        check("one two three", 7, &["one two", "three"]);
        check("one\ntwo", 8, &["one", "two"]);
        check("abcdefghijk", 4, &["abcd", "efgh", "ijk"]);
        check("a b c d e f g h i j k l", 3, &["a b", "c d", "e f", "g h"]);
        check("東京都千代田区", 5, &["東京", "都千", "代田", "区"]);
        check("東京", 1, &["東", "京"]);
    }
}
