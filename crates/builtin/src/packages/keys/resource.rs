//! A key that a repository is signed with.

use uphold_resource::{
    Access, Act, Bytes, Claiming, Claims, Error, ErrorKind, Mode, NewFile, READ_LIMIT, Reading, Resource,
    Result, Seen, SourceFile, Step, Value, Want,
};

use super::{Keyring, armor, openpgp};
use crate::packages::claims::sources;
use crate::{parent, regular_file};

/// A key that a repository of packages is signed with, in a file of its own.
///
/// Name it by `signed_by` of an `apt_repository`: only that repository trusts it then. What is no key, or another key than
/// `fingerprint` says, is refused before anything is touched.
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
    /// Where it is; the block's label unless set. A name without a `/` is a file in `/etc/apt/keyrings`; it ends in `.asc`, which is
    /// text, unless it says `.gpg`, which is bytes.
    #[name]
    #[also("dest")]
    pub path: Keyring,
    /// The key, as text (armored) or as bytes. It is kept in the form that `path` asks for.
    #[also("key", "data")]
    pub content: Want<Bytes>,
    /// A file that holds the key, instead of `content`: beside the configuration if its path is relative, else on the machine.
    #[also("src", "file")]
    pub source: Option<SourceFile>,
    /// The fingerprint that the key must have; with or without spaces. Several keys in one file must have it among theirs.
    #[also("id", "keyid")]
    #[check(is_fingerprint, "must be a fingerprint of 40 or 64 hexadecimal digits")]
    pub fingerprint: Option<String>,
    /// Permission bits. apt reads keys as a user of its own.
    #[enforce("0644")]
    pub mode: Want<Mode>,
    /// The fingerprints of the keys that are there.
    pub fingerprints: Seen<Vec<String>>,
}

impl Resource for AptKey {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if let Some(source) = &self.source {
            let content = source.read(host, READ_LIMIT)?;
            self.content = Want::Set(content.into());
        }
        let Want::Set(content) = &self.content else { return Ok(()) };
        let keys = self.keys(&content.0)?;
        self.check_fingerprint(&keys)?;
        self.content = Want::Set(self.in_form(&content.0)?);
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<AptKeyState>> {
        let path = self.path.path();
        let Some((entry, content)) = regular_file::read(path, host)? else { return Ok(None) };
        let fingerprints = self.keys(&content).unwrap_or_default();
        Ok(Some(AptKeyState { content: content.into(), mode: Mode::new(entry.mode), fingerprints }))
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(self.path.path(), host)
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
}

impl Claiming for AptKey {
    /// Keys of no repository in particular are for all of them: packages come later.
    fn add_claims(&self, claims: &mut Claims) {
        claims.lead(sources());
    }
}

impl AptKey {
    /// The fingerprints of the keys in this content.
    fn keys(&self, content: &[u8]) -> Result<Vec<String>> {
        let bytes = if armor::is_armored(content) { decoded(content) } else { Some(content.to_vec()) };
        bytes.and_then(|bytes| openpgp::fingerprints(&bytes)).ok_or_else(|| {
            let what =
                format!("what should be in {} is no public key of OpenPGP", self.path.path().display());
            Error::new(ErrorKind::Invalid, what).hint("export it with `gpg --armor --export`")
        })
    }

    fn check_fingerprint(&self, keys: &[String]) -> Result<()> {
        let Some(wanted) = self.fingerprint.as_deref().map(plain) else { return Ok(()) };
        if keys.contains(&wanted) {
            return Ok(());
        }
        let what =
            format!("the key for {} is {}, not {wanted}", self.path.path().display(), keys.join(" and "));
        Err(Error::new(ErrorKind::Rejected, what)
            .hint("find out whether the key was changed, or `fingerprint` is wrong"))
    }

    /// The key as text or as bytes, as its file has it.
    fn in_form(&self, content: &[u8]) -> Result<Bytes> {
        match (self.path.is_text(), armor::is_armored(content)) {
            (true, true) | (false, false) => Ok(content.to_vec().into()),
            (false, true) => Ok(decoded(content).unwrap_or_default().into()),
            (true, false) => {
                let what =
                    format!("{} holds keys as text, and this one is bytes", self.path.path().display());
                Err(Error::new(ErrorKind::Invalid, what).hint("let the name end in `.gpg`"))
            }
        }
    }
}

fn decoded(content: &[u8]) -> Option<Vec<u8>> {
    std::str::from_utf8(content).ok().and_then(armor::decode)
}

fn plain(fingerprint: &str) -> String {
    fingerprint.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect()
}

fn is_fingerprint(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    let digits = plain(text);
    matches!(digits.len(), 40 | 64) && digits.chars().all(|c| c.is_ascii_hexdigit())
}
