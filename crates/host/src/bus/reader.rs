//! Decodes values of D-Bus.

/// The maximum nesting of types: D-Bus allows 32 arrays and 32 structs.
const DEEPEST: usize = 64;

/// Reads values one after the other. Every method returns `None` if the message is invalid.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first byte, which alignment is relative to.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Skips to the next multiple of `to`, where an entry of a map begins, for example.
    pub(crate) fn align(&mut self, to: usize) -> Option<()> {
        self.at = self.at.next_multiple_of(to);
        (self.at <= self.bytes.len()).then_some(())
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// One byte.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// A number or a boolean.
    pub(crate) fn number(&mut self) -> Option<u32> {
        self.align(4)?;
        Some(u32::from_ne_bytes(*self.take(4)?.first_chunk()?))
    }

    /// A string or an object path.
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        self.ended_text(usize::try_from(length).ok()?)
    }

    /// A signature.
    pub(crate) fn signature(&mut self) -> Option<&'a str> {
        let length = self.byte()?;
        self.ended_text(length.into())
    }

    fn ended_text(&mut self, length: usize) -> Option<&'a str> {
        let text = std::str::from_utf8(self.take(length)?).ok()?;
        (self.byte()? == 0).then_some(text)
    }

    /// Reads the members of an array with `member`.
    pub(crate) fn array(
        &mut self,
        alignment: usize,
        mut member: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let end = self.array_end(alignment)?;
        while self.at < end {
            member(self)?;
        }
        (self.at == end).then_some(())
    }

    fn array_end(&mut self, alignment: usize) -> Option<usize> {
        let length = usize::try_from(self.number()?).ok()?;
        self.align(alignment)?;
        self.at.checked_add(length).filter(|end| *end <= self.bytes.len())
    }

    /// Skips one value of the first type of `signature`, and returns the other types.
    pub(crate) fn skip<'s>(&mut self, signature: &'s str) -> Option<&'s str> {
        self.skip_at(signature, 0)
    }

    fn skip_at<'s>(&mut self, signature: &'s str, depth: usize) -> Option<&'s str> {
        let depth = Some(depth + 1).filter(|depth| *depth <= DEEPEST)?;
        let (first, rest) = signature.split_at_checked(1)?;
        match first {
            "y" => self.take(1).map(|_| rest),
            "n" | "q" => self.align(2).and_then(|()| self.take(2)).map(|_| rest),
            "b" | "i" | "u" | "h" => self.number().map(|_| rest),
            "x" | "t" | "d" => self.align(8).and_then(|()| self.take(8)).map(|_| rest),
            "s" | "o" => self.text().map(|_| rest),
            "g" => self.signature().map(|_| rest),
            "v" => {
                let inside = self.signature()?;
                self.skip_at(inside, depth)?.is_empty().then_some(rest)
            }
            "a" => {
                let end = self.array_end(alignment(rest)?)?;
                self.at = end;
                after_type(rest)
            }
            "(" | "{" => {
                self.align(8)?;
                let mut left = rest;
                while !left.starts_with([')', '}']) {
                    left = self.skip_at(left, depth)?;
                }
                Some(&left[1..])
            }
            _ => None,
        }
    }
}

/// The alignment of values of a type.
fn alignment(signature: &str) -> Option<usize> {
    Some(match signature.as_bytes().first()? {
        b'y' | b'g' | b'v' => 1,
        b'n' | b'q' => 2,
        b'x' | b't' | b'd' | b'(' | b'{' => 8,
        _ => 4,
    })
}

/// The types after the first complete one.
fn after_type(signature: &str) -> Option<&str> {
    let mut open = 0_usize;
    for (at, sign) in signature.char_indices() {
        match sign {
            '(' | '{' => open += 1,
            ')' | '}' => open = open.checked_sub(1)?,
            _ => {}
        }
        if open == 0 && sign != 'a' {
            return signature.get(at + sign.len_utf8()..);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_signatures() {
        let check = |signature, expected: Option<&str>| {
            assert_eq!(after_type(signature), expected, "{signature}");
        };
        check("s", Some(""));
        check("su", Some("u"));
        check("aasu", Some("u"));
        check("a{sv}s", Some("s"));
        check("(s(uu))t", Some("t"));
        check("", None);
        check("a", None);
        check("(s", None);
        check(")", None);
    }

    #[test]
    fn skips_values() {
        // A struct with a byte, an array of two numbers and a variant with a text.
        let mut bytes = vec![7, 0, 0, 0];
        [8_u32, 1, 2].iter().for_each(|number| bytes.extend(number.to_ne_bytes()));
        bytes.extend([1, b's', 0, 0]);
        bytes.extend(2_u32.to_ne_bytes());
        bytes.extend(b"hi\0!");
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.skip("(yauv)y"), Some("y"));
        assert_eq!(reader.byte(), Some(b'!'));
        for cut in 0..bytes.len() - 1 {
            assert_eq!(Reader::new(&bytes[..cut]).skip("(yauv)"), None, "{cut}");
        }
    }

    #[test]
    fn refuses_deeply_nested_types() {
        let deep = "(".repeat(100) + "y" + &")".repeat(100);
        assert_eq!(Reader::new(&[0; 8]).skip(&deep), None);
    }
}
