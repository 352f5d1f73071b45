//! The kind `apt_key`.

mod keyring;

use data_encoding::BASE64;
use uphold_kit::{parent, regular_file};
use uphold_resource::{
    Access, Act, Bytes, Claiming, Claims, Error, ErrorKind, Found, Look, Mode, NewFile, Previous, Problem,
    READ_LIMIT, Resource, Result, Seen, SourceFile, Step, Value, Want, Wish,
};

use super::sources;

pub use keyring::Keyring;

/// A public key that signs an apt repository, in a file of its own.
///
/// Refer to it with `signed_by` of an `apt_repository`: only that repository trusts it then. Content that is not a
/// key, or that does not match `fingerprint`, is refused before anything is changed.
///
/// ```hcl
/// apt_key "example" {
///   source      = "/usr/share/keyrings/example.asc"
///   fingerprint = "C959 BDBA FA32 A2F8 9A15  3B67 8CFD E121 9796 5A9A"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "apt_key",
    also("apt_keyring"),
    any_of(content, source),
    exclusive(content, source),
    claims
)]
pub struct AptKey {
    /// Path of the key file; defaults to the block's label. A name without a `/` is a file in `/etc/apt/keyrings`;
    /// it gets the extension `.asc` (armored text) unless it ends in `.gpg` (binary).
    #[name]
    #[also("dest")]
    pub path: Keyring,
    /// The key, armored or binary. It is stored in the format that the extension of `path` requires.
    #[also("key", "data")]
    pub content: Want<Bytes>,
    /// File with the key, instead of `content`. A relative path is a file next to the configuration, an absolute
    /// path a file on the machine.
    #[also("src", "file")]
    pub source: Option<SourceFile>,
    /// Fingerprint that the key must have, with or without spaces. If the file has several keys, one of them must
    /// have it.
    #[also("id", "keyid")]
    #[check(is_fingerprint, "must have 40 or 64 hexadecimal digits")]
    pub fingerprint: Option<String>,
    /// Mode. apt reads keys as a user of its own, so the file must be readable for others.
    #[enforce("0644")]
    pub mode: Want<Mode>,
    /// Fingerprints of the keys in the file.
    pub fingerprints: Seen<Vec<String>>,
}

impl Resource for AptKey {
    fn validate(&self) -> Result<(), Problem> {
        let Some(content) = self.content.get() else { return Ok(()) };
        self.checked(&content.0).map(drop).map_err(|error| Problem::from(error).inside("content"))
    }

    fn prepare(&self, look: &Look<'_>) -> Result<AptKeyWishes> {
        let read = self.source.as_ref().map(|source| source.read(look, READ_LIMIT)).transpose()?;
        let Some(content) = read.as_deref().or(self.content.get().map(|content| &*content.0)) else {
            return Ok(AptKeyWishes::default());
        };
        Ok(AptKeyWishes { content: Wish::Set(self.checked(content)?), ..AptKeyWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let path = self.path.path();
        let Some((entry, content)) = regular_file::read(path, look)? else { return Ok(Found::Absent) };
        let fingerprints = self.keys(&content).unwrap_or_default();
        Ok(Found::This(AptKeyState { content: content.into(), mode: Mode::new(entry.mode), fingerprints }))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(self.path.path(), look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let path = self.path.path();
        let write = |goal: &AptKeyGoal| {
            let content: &[u8] = goal.content.as_ref().map_or(&[], |content| &content.0);
            let access = Access { mode: Some(goal.mode.bits()), ..Access::default() };
            host.edits().write(path, &NewFile::new(content, access))
        };
        match step {
            Step::Create { goal } => write(goal),
            Step::Update { goal, change, .. } if change.content.is_some() => write(goal),
            Step::Update { goal, .. } => {
                let access = Access { mode: Some(goal.mode.bits()), ..Access::default() };
                uphold_resource::set_access(path, "a regular file", &access, host)
            }
            Step::Remove { .. } => host.edits().remove_file(path),
        }
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        Previous::without(&["source", "fingerprint"])
    }
}

impl Claiming for AptKey {
    /// Keys come before package lists and packages.
    fn add_claims(&self, claims: &mut Claims) {
        claims.lead(sources());
    }
}

impl AptKey {
    /// The content of the file, if this content is a key with the declared fingerprint.
    fn checked(&self, content: &[u8]) -> Result<Bytes> {
        self.check_fingerprint(&self.keys(content)?)?;
        self.in_file_format(content)
    }

    /// The fingerprints of the keys in this content.
    fn keys(&self, content: &[u8]) -> Result<Vec<String>> {
        let bytes = if is_armored(content) { decoded(content) } else { Some(content.to_vec()) };
        bytes.and_then(|bytes| keyring::fingerprints(&bytes)).ok_or_else(|| {
            let what = format!("the content for {} is not an OpenPGP public key", self.path.path().display());
            Error::new(ErrorKind::Invalid, what).hint("export it with `gpg --armor --export`")
        })
    }

    fn check_fingerprint(&self, keys: &[String]) -> Result<()> {
        let Some(wanted) = self.fingerprint.as_deref().map(plain) else { return Ok(()) };
        if keys.contains(&wanted) {
            return Ok(());
        }
        let what = format!(
            "the key for {} has the fingerprint {}, not {wanted}",
            self.path.path().display(),
            keys.join(" and ")
        );
        Err(Error::new(ErrorKind::Rejected, what).hint(
            "check with its publisher whether the key has changed, and correct `fingerprint` or the key",
        ))
    }

    /// The key, armored or binary as the file requires.
    fn in_file_format(&self, content: &[u8]) -> Result<Bytes> {
        match (self.path.is_text(), is_armored(content)) {
            (true, true) | (false, false) => Ok(content.to_vec().into()),
            (false, true) => Ok(decoded(content).unwrap_or_default().into()),
            (true, false) => {
                let what = format!(
                    "{} must have an armored key, but this key is binary",
                    self.path.path().display()
                );
                Err(Error::new(ErrorKind::Invalid, what).hint("use a `path` that ends in `.gpg`"))
            }
        }
    }
}

fn decoded(content: &[u8]) -> Option<Vec<u8>> {
    std::str::from_utf8(content).ok().and_then(decode)
}

fn plain(fingerprint: &str) -> String {
    fingerprint.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect()
}

fn is_fingerprint(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    let digits = plain(text);
    matches!(digits.len(), 40 | 64) && digits.chars().all(|c| c.is_ascii_hexdigit())
}

// ASCII-armored OpenPGP data.

const BEGIN: &str = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const END: &str = "-----END PGP PUBLIC KEY BLOCK-----";

/// Whether the content is armored.
fn is_armored(content: &[u8]) -> bool {
    std::str::from_utf8(content).is_ok_and(|text| text.contains(BEGIN))
}

/// The bytes of all blocks, concatenated; none if a block is invalid.
fn decode(text: &str) -> Option<Vec<u8>> {
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
