//! ASCII-armored OpenPGP data.

use data_encoding::BASE64;

const BEGIN: &str = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const END: &str = "-----END PGP PUBLIC KEY BLOCK-----";

/// Whether the content is armored.
pub(super) fn is_armored(content: &[u8]) -> bool {
    std::str::from_utf8(content).is_ok_and(|text| text.contains(BEGIN))
}

/// The bytes of all blocks, concatenated; none if a block is invalid.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((_, block)) = rest.split_once(BEGIN) {
        let (block, after) = block.split_once(END)?;
        bytes.extend(decode_block(block)?);
        rest = after;
    }
    (!bytes.is_empty()).then_some(bytes)
}

/// Headers precede the first empty line; the last line is a checksum that begins with `=`.
fn decode_block(block: &str) -> Option<Vec<u8>> {
    let mut lines = block.lines().map(str::trim).skip(1).peekable();
    while lines.next_if(|line| line.contains(": ")).is_some() {}
    let digits: String = lines.filter(|line| !line.starts_with('=')).collect();
    BASE64.decode(digits.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_blocks() {
        let block = |inside: &str| format!("{BEGIN}\n{inside}\n{END}\n");
        let check =
            |text: &str, expected: Option<&[u8]>| assert_eq!(decode(text).as_deref(), expected, "{text}");
        check(&block("\naGVs\nbG8=\n=abcd"), Some(b"hello"));
        check(&block("Comment: x\nVersion: 1\n\naGVsbG8="), Some(b"hello"));
        check(&(block("\naGVs") + &block("\nbG8=")), Some(b"hello"));
        check(&block("\naGVs!"), None);
        check(&format!("{BEGIN}\n\naGVs\n"), None);
        check("hello", None);
        assert!(is_armored(block("").as_bytes()));
        assert!(!is_armored(b"\x99\x01"));
    }
}
