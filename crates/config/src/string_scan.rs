//! Finding the end of plain text in strings and heredocs.

/// The number of bytes that are tested at once.
const CHUNK: usize = 32;

/// The number of bytes that are tested at once where a special byte is near.
const SMALL_CHUNK: usize = 8;

/// Why plain text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The closing `"`. Not in heredocs.
    Quote,
    /// A `\`. Not in heredocs.
    Backslash,
    Newline,
    /// `${`
    Interpolation,
    /// `%{`
    Directive,
    /// `$${` or `%%{`: an escaped `${` or `%{`.
    Doubled,
    /// The end of the source.
    End,
}

/// The first position at or after `from` where plain text of a quoted string ends.
pub(crate) fn stop_in_quotes(bytes: &[u8], from: usize) -> (usize, Stop) {
    // `|` and not a pattern: a pattern compiles to a branch, which prevents vectorisation.
    stop(bytes, from, |b| (b == b'"') | (b == b'\\') | (b == b'\n') | (b == b'$') | (b == b'%'))
}

/// The first position at or after `from` where plain text of a heredoc ends; every line break counts.
pub(crate) fn stop_in_heredoc(bytes: &[u8], from: usize) -> (usize, Stop) {
    stop(bytes, from, |b| (b == b'\n') | (b == b'$') | (b == b'%'))
}

fn stop(bytes: &[u8], from: usize, special: impl Fn(u8) -> bool + Copy) -> (usize, Stop) {
    let mut at = find(bytes, from, special);
    loop {
        let Some(&byte) = bytes.get(at) else { return (at, Stop::End) };
        match (byte, bytes.get(at + 1), bytes.get(at + 2)) {
            (b'"', ..) => return (at, Stop::Quote),
            (b'\\', ..) => return (at, Stop::Backslash),
            (b'\n', ..) => return (at, Stop::Newline),
            (b'$', Some(b'{'), _) => return (at, Stop::Interpolation),
            (b'%', Some(b'{'), _) => return (at, Stop::Directive),
            (sign, Some(next), Some(b'{')) if sign == *next => return (at, Stop::Doubled),
            _ => at = find(bytes, at + 1, special),
        }
    }
}

/// The first special byte, or the end. Whole chunks are tested without a branch for each byte, which compilers
/// vectorise: long strings cost little more than a copy.
fn find(bytes: &[u8], from: usize, special: impl Fn(u8) -> bool + Copy) -> usize {
    let rest = &bytes[from..];
    let large = chunks_without::<CHUNK>(rest, special);
    let small = large + chunks_without::<SMALL_CHUNK>(&rest[large..], special);
    rest[small..].iter().position(|&byte| special(byte)).map_or(bytes.len(), |i| from + small + i)
}

/// The length of the whole chunks before the first one with a special byte.
fn chunks_without<const N: usize>(bytes: &[u8], special: impl Fn(u8) -> bool + Copy) -> usize {
    let hit = |chunk: &[u8; N]| chunk.iter().fold(0, |hit, &byte| hit | u8::from(special(byte))) != 0;
    let (chunks, _) = bytes.as_chunks::<N>();
    chunks.iter().position(hit).unwrap_or(chunks.len()) * N
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops() {
        let check = |text: &str, quoted: (usize, Stop), heredoc: (usize, Stop)| {
            assert_eq!(stop_in_quotes(text.as_bytes(), 0), quoted, "{text:?}");
            assert_eq!(stop_in_heredoc(text.as_bytes(), 0), heredoc, "{text:?}");
        };
        check("", (0, Stop::End), (0, Stop::End));
        check("ab\"c\n", (2, Stop::Quote), (4, Stop::Newline));
        check("a\\n${", (1, Stop::Backslash), (3, Stop::Interpolation));
        check("$5 100% %{", (8, Stop::Directive), (8, Stop::Directive));
        check("a$${b", (1, Stop::Doubled), (1, Stop::Doubled));
        check("a$$${b", (2, Stop::Doubled), (2, Stop::Doubled));
        check("$%{", (1, Stop::Directive), (1, Stop::Directive));
        check(&format!("{}\"", "x".repeat(1000)), (1000, Stop::Quote), (1001, Stop::End));
    }
}
