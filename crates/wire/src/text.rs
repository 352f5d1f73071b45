//! Documents as text that is safe to show on a terminal.

use std::fmt::Write;

use serde::Serialize;
use uphold_model::is_invisible;

/// One line of JSON, without a line end.
pub fn line(document: &impl Serialize) -> String {
    visible(serde_json::to_string(document).expect("all keys are strings, and writing to memory cannot fail"))
}

/// A document over several lines, with a line end. Its members are sorted by key.
pub fn document(document: &impl Serialize) -> String {
    let json =
        serde_json::to_value(document).expect("all keys are strings, and writing to memory cannot fail");
    visible(format!("{json:#}\n"))
}

/// Escapes invisible characters as `\uXXXX`. The content stays the same: they can occur only in strings, except for
/// line ends and blanks.
pub fn visible(json: String) -> String {
    if json.is_ascii() && !json.contains('\u{7f}') {
        // Control characters below the blank were escaped when the string was written.
        return json;
    }
    let mut text = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if character == '\n' || !is_invisible(character) {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(text, "\\u{unit:04x}").expect("writing to memory cannot fail");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        let check = |text: &str, expected: &str| assert_eq!(visible(text.to_owned()), expected);
        check("{\n  \"a\": \"é 漢\"\n}", "{\n  \"a\": \"é 漢\"\n}");
        check("\"\u{9b}\u{7f}\u{202e}\"", r#""\u009b\u007f\u202e""#);
        check("\"\u{7f}\"", r#""\u007f""#);
        check("\"a\u{200b}b\u{feff}c\u{2028}\"", r#""a\u200bb\ufeffc\u2028""#);
        check("\"\u{e0001}\"", r#""\udb40\udc01""#);
        check("", "");
        assert_eq!(line(&"\u{0}\u{1b}\r\t\n"), r#""\u0000\u001b\r\t\n""#);
    }
}
