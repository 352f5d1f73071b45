//! Hexadecimal encoding.

/// Two lower-case digits for each byte.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The reverse of [`encode`].
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    rest.is_empty()
        .then(|| pairs.iter().map(|[high, low]| Some(nibble(*high)? << 4 | nibble(*low)?)).collect())?
}
