//! Characters that are invisible, or that change how other text is displayed.

/// Whether a character could control a terminal, change the direction of text, or be invisible: control characters (C0,
/// DEL, C1), line and paragraph separators, bidirectional controls, zero-width characters and tags.
pub fn is_invisible(character: char) -> bool {
    match character {
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_visible() {
        assert!(!"aé漢😀 \u{a0}\u{301}".chars().any(is_invisible));
        assert!("\0\u{1b}\r\t\n\u{80}\u{9f}\u{200d}\u{2066}".chars().all(is_invisible));
    }
}
