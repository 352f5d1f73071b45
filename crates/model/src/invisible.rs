//! Characters that cannot be seen, or that change how other text is shown.

use std::fmt::{self, Display, Write};

/// Whether a character could command a terminal, turn the direction of writing, or hide in a text: control characters
/// (C0, DEL, C1), line and paragraph separators, bidirectional controls, zero-width characters and tags.
pub fn is_invisible(character: char) -> bool {
    match character {
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

/// JSON in which invisible characters are written as `\uXXXX`. What it says stays the same: in JSON, they can only be
/// inside strings, but for the line ends and blanks of its layout.
pub struct VisibleJson<T>(pub T);

impl<T: Display> Display for VisibleJson<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { write!(Escaping(f), "{:#}", self.0) } else { write!(Escaping(f), "{}", self.0) }
    }
}

struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut plain = 0;
        for (at, character) in text.char_indices().filter(|(_, character)| must_be_escaped(*character)) {
            self.0.write_str(&text[plain..at])?;
            plain = at + character.len_utf8();
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                write!(self.0, "\\u{unit:04x}")?;
            }
        }
        self.0.write_str(&text[plain..])
    }
}

fn must_be_escaped(character: char) -> bool {
    character != '\n' && is_invisible(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped_in_json() {
        let check = |text: &str, expected: &str| assert_eq!(VisibleJson(text).to_string(), expected);
        check("{\n  \"a\": \"é 漢\"\n}", "{\n  \"a\": \"é 漢\"\n}");
        check("\"\u{9b}\u{7f}\u{202e}\"", r#""\u009b\u007f\u202e""#);
        check("\"a\u{200b}b\u{feff}c\u{2028}\"", r#""a\u200bb\ufeffc\u2028""#);
        check("\"\u{e0001}\"", r#""\udb40\udc01""#);
        check("", "");
    }

    #[test]
    fn ordinary_text_is_visible() {
        assert!(!"aé漢😀 \u{a0}\u{301}".chars().any(is_invisible));
        assert!("\0\u{1b}\r\t\n\u{80}\u{9f}\u{200d}\u{2066}".chars().all(is_invisible));
    }
}
