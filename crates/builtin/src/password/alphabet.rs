//! The characters of passwords.

use uphold_resource::{Act, Property, Result};

/// The characters of a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Alphabet {
    /// Upper-case and lower-case letters, and digits.
    Alphanumeric,
    /// Upper-case and lower-case letters.
    Letters,
    /// Digits.
    Digits,
    /// Digits, and letters from `a` to `f`.
    Hex,
    /// All printable ASCII characters, including those with a special meaning in shells and URLs.
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

/// The number of random bytes requested at a time.
const PORTION: usize = 64;

/// Generates a password with uniformly distributed characters, of which there may be at most 256.
pub(super) fn generate(characters: &[char], length: u32, host: &Act<'_>) -> Result<String> {
    let mut password = String::new();
    let mut left = length;
    // Larger bytes are discarded, because they would make the first characters more likely.
    let rounds = (256 / characters.len().max(1)) * characters.len();
    let mut bytes = [0; PORTION];
    while left > 0 {
        host.fill_random(&mut bytes)?;
        let usable = bytes.iter().map(|byte| usize::from(*byte)).filter(|byte| *byte < rounds);
        for byte in usable.take(left as usize) {
            password.push(characters[byte % characters.len()]);
            left -= 1;
        }
    }
    Ok(password)
}
