//! Source text quoted in messages.

/// The maximum number of characters that a message quotes. A token can be megabytes long.
const LONGEST: usize = 40;

/// `text` in backquotes, on one line, shortened if it is long.
pub(crate) fn excerpt(text: &str) -> String {
    let mut characters = text.chars();
    let mut head = String::new();
    for character in characters.by_ref().take(LONGEST) {
        if character.is_control() { head.extend(character.escape_debug()) } else { head.push(character) }
    }
    format!("`{head}{}`", if characters.next().is_some() { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn excerpts_are_short() {
        let check = |text: &str, expected: &str| assert_eq!(excerpt(text), expected);
        check("a \"b\" \\q\n", "`a \"b\" \\q\\n`");
        check(&"x".repeat(41), &format!("`{}…`", "x".repeat(40)));
    }
}
