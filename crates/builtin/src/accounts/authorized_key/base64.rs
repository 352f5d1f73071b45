//! The alphabet in which keys are written.

/// What the text stands for; none if it is not base64 with its padding.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let body = text.trim_end_matches('=');
    if text.is_empty() || !text.len().is_multiple_of(4) || text.len() - body.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(body.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in body.bytes() {
        bits = bits << 6 | u32::from(digit(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let check =
            |text: &str, expected: Option<&[u8]>| assert_eq!(decode(text).as_deref(), expected, "{text}");
        check("YQ==", Some(b"a"));
        check("YWI=", Some(b"ab"));
        check("YWJj", Some(b"abc"));
        check("+/+/", Some(&[0xfb, 0xff, 0xbf]));
        check("YWJ", None);
        check("Y===", None);
        check("YW J", None);
        check("YW-j", None);
        check("", None);
    }
}
