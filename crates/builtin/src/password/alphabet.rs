//! What passwords are made of.

use uphold_resource::{Act, Property, Result};

/// What characters a password is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Alphabet {
    /// Letters of both cases, and digits.
    Alphanumeric,
    /// Letters of both cases.
    Letters,
    /// Digits.
    Digits,
    /// Digits, and letters from `a` to `f`.
    Hex,
    /// All of ASCII that can be seen: also marks that shells and URLs take for something else.
    Printable,
}

impl Alphabet {
    pub(super) fn characters(self) -> Vec<char> {
        let lower = || 'a'..='z';
        match self {
            Alphabet::Alphanumeric => ('A'..='Z').chain(lower()).chain('0'..='9').collect(),
            Alphabet::Letters => ('A'..='Z').chain(lower()).collect(),
            Alphabet::Digits => ('0'..='9').collect(),
            Alphabet::Hex => ('0'..='9').chain('a'..='f').collect(),
            Alphabet::Printable => ('!'..='~').collect(),
        }
    }
}

/// How many random bytes are asked for at a time.
const PORTION: usize = 64;

/// A password of this many of these characters, each as likely as any other. There may be 256 of them at most.
pub(super) fn generate(characters: &[char], length: u32, host: &Act<'_>) -> Result<String> {
    let mut password = String::new();
    let mut left = length;
    // Bytes beyond the last whole round would make the first characters more likely.
    let rounds = (256 / characters.len().max(1)) * characters.len();
    let mut bytes = [0; PORTION];
    while left > 0 {
        host.fill_random(&mut bytes)?;
        let fair = bytes.iter().map(|byte| usize::from(*byte)).filter(|byte| *byte < rounds);
        for byte in fair.take(left as usize) {
            password.push(characters[byte % characters.len()]);
            left -= 1;
        }
    }
    Ok(password)
}
