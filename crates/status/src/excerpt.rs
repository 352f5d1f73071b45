//! Text that somebody else wrote, kept short: a board does not grow with what it is told.

/// How much of a message is kept: more than a few lines of a terminal nobody reads there.
const KEPT: usize = 600;

/// The text, or its beginning.
pub(crate) fn excerpt(text: &str) -> String {
    let mut end = KEPT.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    match end == text.len() {
        true => text.to_owned(),
        false => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_text_is_cut_and_never_inside_a_character() {
        let check = |text: &str, expected: &str| assert_eq!(excerpt(text), expected);
        check("", "");
        check("short", "short");
        check(&"x".repeat(KEPT), &"x".repeat(KEPT));
        check(&"x".repeat(KEPT + 1), &format!("{}…", "x".repeat(KEPT)));
        let wide = format!("{}é and more", "x".repeat(KEPT - 1));
        check(&wide, &format!("{}…", "x".repeat(KEPT - 1)));
    }
}
