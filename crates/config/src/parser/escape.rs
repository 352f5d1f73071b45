//! Escapes in quoted strings.

/// The character of the escape at the start of `text`, and its length in bytes; or the length of an invalid escape.
pub(super) fn unescape(text: &str) -> Result<(char, usize), usize> {
    let Some(letter) = text[1..].chars().next() else { return Err(1) };
    match letter {
        'n' => Ok(('\n', 2)),
        'r' => Ok(('\r', 2)),
        't' => Ok(('\t', 2)),
        '"' => Ok(('"', 2)),
        '\\' => Ok(('\\', 2)),
        'u' => code_point(text, 4),
        'U' => code_point(text, 8),
        // A line break is left to the string, which is then unclosed.
        '\n' => Err(1),
        other => Err(1 + other.len_utf8()),
    }
}

fn code_point(text: &str, digits: usize) -> Result<(char, usize), usize> {
    let written = text[2..].bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let length = 2 + written;
    if written < digits {
        return Err(length);
    }
    u32::from_str_radix(&text[2..length], 16)
        .ok()
        .and_then(char::from_u32)
        .map_or(Err(length), |c| Ok((c, length)))
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes() {
        let check = |text: &str, expected: Result<(char, usize), usize>| assert_eq!(unescape(text), expected);
        check(r"\n", Ok(('\n', 2)));
        check(r#"\""#, Ok(('"', 2)));
        check(r"\u00e9x", Ok(('é', 6)));
        check(r"\U0001F600", Ok(('😀', 10)));
        check(r"\uD800", Err(6));
        check(r"\U00110000", Err(10));
        check(r"\u12", Err(4));
        check(r"\é", Err(3));
        check("\\\n", Err(1));
        check("\\", Err(1));
    }
}
