//! Escapes in tables such as fstab: a backslash and three octal digits.

/// Decodes a field.
pub(super) fn unescaped(field: &[u8]) -> String {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..3).filter(|_| *first == b'\\').and_then(octal);
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn octal(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()
}

/// Encodes a field.
pub(super) fn escaped(text: &str) -> String {
    let mut field = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' ' => field.push_str("\\040"),
            '\t' => field.push_str("\\011"),
            '\n' => field.push_str("\\012"),
            '#' => field.push_str("\\043"),
            '\\' => field.push_str("\\134"),
            other => field.push(other),
        }
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_round_trip() {
        let check = |text: &str, field: &str| {
            assert_eq!(escaped(text), field);
            assert_eq!(unescaped(field.as_bytes()), text);
        };
        check("/srv", "/srv");
        check("/a b\tc\nd\\e#f", "/a\\040b\\011c\\012d\\134e\\043f");
        check("/ä", "/ä");
        assert_eq!(unescaped(b"\\04"), "\\04");
        assert_eq!(unescaped(b"\\089x"), "\\089x");
    }
}
