//! Digests of several algorithms, as a property and of files.

use std::fmt;
use std::path::Path;

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha512};
use uphold_resource::{Context, Map, Problem, Property, Reading, Type, Value};

use crate::regular_file;

const FIX: &str = r#"use the output of `sha256sum`, or add the algorithm: "sha512:cf83…""#;

/// A digest with its algorithm, such as `sha256:e3b0…`. Without the algorithm, its length determines it.
#[derive(Clone, PartialEq, Eq)]
pub struct Checksum {
    algorithm: Algorithm,
    digits: String,
}

/// A digest algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// MD5: 128 bits. Two files with one digest can be made.
    Md5,
    /// SHA-1: 160 bits. Two files with one digest can be made.
    Sha1,
    /// SHA-256: 256 bits.
    Sha256,
    /// SHA-512: 512 bits.
    Sha512,
}

/// Each algorithm with its name and number of hexadecimal digits.
const ALGORITHMS: [(Algorithm, &str, usize); 4] = [
    (Algorithm::Md5, "md5", 32),
    (Algorithm::Sha1, "sha1", 40),
    (Algorithm::Sha256, "sha256", 64),
    (Algorithm::Sha512, "sha512", 128),
];

impl Checksum {
    /// The digest of the regular file at `path`. A machine that remembers the SHA-256 of a file that did not change does not
    /// read it; otherwise it is read piece by piece.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_file(path: &Path, algorithm: Algorithm, host: &Reading<'_>) -> uphold_resource::Result<Self> {
        if algorithm == Algorithm::Sha256
            && let Some(digest) = host.files().sha256(path)?
        {
            return Ok(checksum(algorithm, &digest));
        }
        let mut hasher = Hasher::new(algorithm);
        regular_file::each_piece(path, host, |piece| {
            hasher.update(piece);
            Ok(())
        })?;
        Ok(hasher.finish())
    }

    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

/// The answer of `Resource::inputs` for a property that names a file: the digest of its content, so that a saved plan is
/// refused if the content has changed since. Unknown if the file cannot be read yet.
pub fn input(property: &str, digest: uphold_resource::Result<Checksum>) -> Map {
    let value = digest.map_or_else(|_| Value::unknown(property), |digest| Value::text(digest.to_string()));
    Map::from([(format!("the content of {property}").into(), value)])
}

/// Computes a digest piece by piece.
#[derive(Clone)]
pub struct Hasher(State);

#[derive(Clone)]
enum State {
    Md5(Md5),
    Sha1(Sha1),
    Sha256(Sha256),
    Sha512(Sha512),
}

impl Hasher {
    /// A hasher that has seen nothing yet.
    pub fn new(algorithm: Algorithm) -> Self {
        Hasher(match algorithm {
            Algorithm::Md5 => State::Md5(Md5::new()),
            Algorithm::Sha1 => State::Sha1(Sha1::new()),
            Algorithm::Sha256 => State::Sha256(Sha256::new()),
            Algorithm::Sha512 => State::Sha512(Sha512::new()),
        })
    }

    /// Adds the next piece of the content.
    pub fn update(&mut self, piece: &[u8]) {
        match &mut self.0 {
            State::Md5(hasher) => hasher.update(piece),
            State::Sha1(hasher) => hasher.update(piece),
            State::Sha256(hasher) => hasher.update(piece),
            State::Sha512(hasher) => hasher.update(piece),
        }
    }

    /// The digest of all pieces.
    pub fn finish(self) -> Checksum {
        match self.0 {
            State::Md5(hasher) => checksum(Algorithm::Md5, &hasher.finalize()),
            State::Sha1(hasher) => checksum(Algorithm::Sha1, &hasher.finalize()),
            State::Sha256(hasher) => checksum(Algorithm::Sha256, &hasher.finalize()),
            State::Sha512(hasher) => checksum(Algorithm::Sha512, &hasher.finalize()),
        }
    }
}

fn checksum(algorithm: Algorithm, bytes: &[u8]) -> Checksum {
    Checksum { algorithm, digits: bytes.iter().map(|byte| format!("{byte:02x}")).collect() }
}

impl Property for Checksum {
    const TYPE: &'static Type = &Type::Named {
        name: "checksum",
        doc: "an MD5, SHA-1, SHA-256 or SHA-512 digest in hexadecimal digits, optionally with its algorithm",
        example: r#""sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let text = match value {
            Value::Text(text) => text.to_string(),
            _ => String::new(),
        };
        parse(&text).ok_or_else(|| Problem::new(Some(value), "is not a checksum", FIX))
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}

fn parse(text: &str) -> Option<Checksum> {
    let (name, digits) = match text.split_once(':') {
        Some((name, digits)) => (Some(name.to_ascii_lowercase()), digits),
        None => (None, text),
    };
    let fits = |(_, own, length): &&(Algorithm, &str, usize)| {
        name.as_ref().is_none_or(|name| name == own) && *length == digits.len()
    };
    let (algorithm, _, _) = ALGORITHMS.iter().find(fits)?;
    digits
        .bytes()
        .all(|digit| digit.is_ascii_hexdigit())
        .then(|| Checksum { algorithm: *algorithm, digits: digits.to_ascii_lowercase() })
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = ALGORITHMS
            .iter()
            .find(|(algorithm, ..)| *algorithm == self.algorithm)
            .map_or("", |(_, name, _)| name);
        write!(f, "{name}:{}", self.digits)
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: [(Algorithm, &str); 4] = [
        (Algorithm::Md5, "md5:d41d8cd98f00b204e9800998ecf8427e"),
        (Algorithm::Sha1, "sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (Algorithm::Sha256, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            Algorithm::Sha512,
            "sha512:cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
             47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        ),
    ];

    #[test]
    fn algorithm_follows_from_name_or_length() {
        for (algorithm, text) in EMPTY {
            let found = Hasher::new(algorithm).finish();
            assert_eq!(found.to_string(), text);
            let digits = text.split_once(':').expect("it has an algorithm").1;
            for written in
                [text.to_owned(), digits.to_owned(), digits.to_ascii_uppercase(), text.to_ascii_uppercase()]
            {
                let read = Checksum::from_value(&Value::text(written.as_str()), &Context::NOTHING);
                assert_eq!(read.as_ref(), Ok(&found), "{written}");
            }
        }
    }

    #[test]
    fn refuses_invalid_checksums() {
        let (_, sha256) = EMPTY[2];
        for wrong in [
            "",
            "sha256:",
            &sha256[..sha256.len() - 1],
            &sha256.replace("sha256", "md5"),
            &sha256.replace('e', "g"),
            "crc:00",
        ] {
            assert!(Checksum::from_value(&Value::text(wrong), &Context::NOTHING).is_err(), "{wrong}");
        }
        assert!(Checksum::from_value(&Value::Int(1), &Context::NOTHING).is_err());
    }
}
