//! DER, the binary encoding of certificates and keys.

/// Tags of the values that are read and written here.
pub(super) mod tag {
    pub(in super::super) const BOOLEAN: u8 = 0x01;
    pub(in super::super) const INTEGER: u8 = 0x02;
    pub(in super::super) const BIT_STRING: u8 = 0x03;
    pub(in super::super) const OCTET_STRING: u8 = 0x04;
    pub(in super::super) const NULL: u8 = 0x05;
    pub(in super::super) const OID: u8 = 0x06;
    pub(in super::super) const UTF8_STRING: u8 = 0x0c;
    pub(in super::super) const PRINTABLE_STRING: u8 = 0x13;
    pub(in super::super) const IA5_STRING: u8 = 0x16;
    pub(in super::super) const UTC_TIME: u8 = 0x17;
    pub(in super::super) const GENERALIZED_TIME: u8 = 0x18;
    pub(in super::super) const SEQUENCE: u8 = 0x30;
    pub(in super::super) const SET: u8 = 0x31;
}

/// The tag of a context-specific value. `constructed` if it contains other values.
pub(super) const fn context(number: u8, constructed: bool) -> u8 {
    0x80 | number | if constructed { 0x20 } else { 0 }
}

/// A value with its tag and length.
pub(super) fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    match u8::try_from(content.len()) {
        Ok(length) if length < 0x80 => bytes.push(length),
        _ => {
            let length = content.len().to_be_bytes();
            let length = &length[length.iter().take_while(|byte| **byte == 0).count()..];
            bytes.push(0x80 | length.len() as u8);
            bytes.extend(length);
        }
    }
    bytes.extend(content);
    bytes
}

/// A sequence of values.
pub(super) fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
    value(tag::SEQUENCE, &parts.concat())
}

/// A non-negative integer from big-endian bytes.
pub(super) fn integer(bytes: &[u8]) -> Vec<u8> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let digits = &bytes[zeros.min(bytes.len().saturating_sub(1))..];
    // With the first bit set it would be negative.
    match digits.first() {
        Some(first) if *first < 0x80 => value(tag::INTEGER, digits),
        _ => value(tag::INTEGER, &[&[0], digits].concat()),
    }
}

/// A bit string of whole bytes.
pub(super) fn bit_string(bytes: &[u8]) -> Vec<u8> {
    value(tag::BIT_STRING, &[&[0], bytes].concat())
}

/// Reads values one after another. A truncated or overlong value reads as none.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

/// A value that was read.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) tag: u8,
    pub(super) content: &'a [u8],
    /// The whole value, with tag and length.
    pub(super) whole: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next value of any type.
    pub(super) fn any(&mut self) -> Option<Part<'a>> {
        let [tag, first, rest @ ..] = self.0 else { return None };
        let (length, header) = match first {
            short if *short < 0x80 => (usize::from(*short), 2),
            0x81..=0x84 => {
                let digits = rest.get(..usize::from(first & 0x7f))?;
                let length = digits.iter().fold(0_usize, |length, digit| length << 8 | usize::from(*digit));
                (length, 2 + digits.len())
            }
            _ => return None,
        };
        let (whole, left) = self.0.split_at_checked(header.checked_add(length)?)?;
        self.0 = left;
        Some(Part { tag: *tag, content: &whole[header..], whole })
    }

    /// The next value, which must have this tag.
    pub(super) fn expect(&mut self, tag: u8) -> Option<Part<'a>> {
        self.any().filter(|part| part.tag == tag)
    }

    /// The next value if it has this tag; otherwise the position does not change.
    pub(super) fn optional(&mut self, tag: u8) -> Option<Part<'a>> {
        let mut ahead = *self;
        let part = ahead.expect(tag)?;
        *self = ahead;
        Some(part)
    }
}

impl<'a> Part<'a> {
    /// A reader of the content.
    pub(super) fn inside(self) -> Reader<'a> {
        Reader(self.content)
    }

    /// The bytes of a bit string without unused bits.
    pub(super) fn bits(self) -> Option<&'a [u8]> {
        self.content.split_first().filter(|(unused, _)| **unused == 0).map(|(_, bytes)| bytes)
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        self.any()
    }
}

// Object identifiers in DER.

pub(super) const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
pub(super) const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
pub(super) const P384: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x22];
pub(super) const ED25519: &[u8] = &[0x2b, 0x65, 0x70];
pub(super) const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];

pub(super) const ECDSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
pub(super) const ECDSA_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x03];
pub(super) const RSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b];

pub(super) const SUBJECT_KEY: &[u8] = &[0x55, 0x1d, 0x0e];
pub(super) const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
pub(super) const ALTERNATIVE_NAMES: &[u8] = &[0x55, 0x1d, 0x11];
pub(super) const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];
pub(super) const AUTHORITY_KEY: &[u8] = &[0x55, 0x1d, 0x23];
pub(super) const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x25];

pub(super) const SERVER_AUTH: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01];
pub(super) const CLIENT_AUTH: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02];

pub(super) const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];

/// Components of a distinguished name other than the common name, in the order in which they are written.
pub(super) const NAME_PARTS: &[(&str, &[u8])] = &[
    ("C", &[0x55, 0x04, 0x06]),
    ("ST", &[0x55, 0x04, 0x08]),
    ("L", &[0x55, 0x04, 0x07]),
    ("O", &[0x55, 0x04, 0x0a]),
    ("OU", &[0x55, 0x04, 0x0b]),
    ("emailAddress", &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x01]),
];

/// The identifier as a DER value.
pub(super) fn der(oid: &[u8]) -> Vec<u8> {
    value(tag::OID, oid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_minimal_lengths_and_integers() {
        let check = |bytes: Vec<u8>, begin: &[u8]| assert_eq!(&bytes[..begin.len()], begin);
        check(value(4, &[7; 127]), &[4, 127, 7]);
        check(value(4, &[7; 128]), &[4, 0x81, 128, 7]);
        check(value(4, &[7; 300]), &[4, 0x82, 1, 44, 7]);
        assert_eq!(integer(&[0, 0, 5]), [2, 1, 5]);
        assert_eq!(integer(&[0x80]), [2, 2, 0, 0x80]);
        assert_eq!(integer(&[0]), [2, 1, 0]);
        assert_eq!(integer(&[]), [2, 1, 0]);
    }

    #[test]
    fn values_round_trip() {
        for length in [0, 1, 127, 128, 255, 256, 70_000] {
            let bytes = [value(4, &vec![1; length]), value(5, &[])].concat();
            let mut reader = Reader(&bytes);
            assert!(reader.optional(5).is_none());
            assert_eq!(reader.expect(4).map(|part| part.content.len()), Some(length));
            assert!(reader.expect(5).is_some() && reader.any().is_none());
        }
    }

    #[test]
    fn truncated_values_read_as_none() {
        let cuts: [&[u8]; 6] =
            [&[], &[4], &[4, 2, 0], &[4, 0x82, 1], &[4, 0x80, 0, 0], &[4, 0x84, 255, 255, 255, 255]];
        for bytes in cuts {
            assert!(Reader(bytes).any().is_none(), "{bytes:?}");
        }
    }
}
