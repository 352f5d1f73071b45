//! What can go wrong while looking at the machine or changing it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The result of everything that touches the machine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// What was attempted, on what, and why it failed. The source is not repeated in the text.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    what: String,
    hint: Option<String>,
    source: Option<Source>,
    again_after: Option<Duration>,
}

/// What sort of failure it is; what facts, retries and reports go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Something that has to be there is not.
    Missing,
    /// The directory that should hold it is not there.
    ParentMissing,
    /// Something of another type is in the way.
    WrongType,
    /// A link that somebody else could have planted.
    UnsafeLink,
    /// The system refused.
    Denied,
    /// A command, a check or a verification said no.
    Rejected,
    /// It took too long.
    TimedOut,
    /// A value that cannot be used.
    Invalid,
    /// The kind cannot do that.
    Unsupported,
    /// The kind itself is wrong.
    Defect,
    /// It has to be looked at again later: see [`Error::not_yet`].
    NotYet,
    /// What it would do cannot be told without doing it.
    Unpredictable,
    /// It would show a secret to every local user.
    Exposed,
    /// Anything else.
    Failed,
}

impl ErrorKind {
    /// How configurations and reports name it.
    pub fn word(self) -> &'static str {
        match self {
            ErrorKind::Missing => "missing",
            ErrorKind::ParentMissing => "parent_missing",
            ErrorKind::WrongType => "wrong_type",
            ErrorKind::UnsafeLink => "unsafe_link",
            ErrorKind::Denied => "denied",
            ErrorKind::Rejected => "rejected",
            ErrorKind::TimedOut => "timed_out",
            ErrorKind::Invalid => "invalid",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Defect => "defect",
            ErrorKind::NotYet => "not_yet",
            ErrorKind::Unpredictable => "unpredictable",
            ErrorKind::Exposed => "exposed",
            ErrorKind::Failed => "failed",
        }
    }

    /// In words, for those who may not know more.
    pub fn words(self) -> &'static str {
        match self {
            ErrorKind::Missing => "something that has to be there is missing",
            ErrorKind::ParentMissing => "the directory that should hold it is missing",
            ErrorKind::WrongType => "something of another type is in the way",
            ErrorKind::UnsafeLink => "a link on the way cannot be trusted",
            ErrorKind::Denied => "the system refused",
            ErrorKind::Rejected => "a check said no",
            ErrorKind::TimedOut => "it took too long",
            ErrorKind::Invalid => "a value cannot be used",
            ErrorKind::Unsupported => "the kind cannot do that",
            ErrorKind::Defect => "the kind is defective",
            ErrorKind::NotYet => "it is not ready yet",
            ErrorKind::Unpredictable => "only doing it can tell",
            ErrorKind::Exposed => {
                "a secret would be an argument of a command, which every local user can read: pass it in `env` or in a file"
            }
            ErrorKind::Failed => "it failed",
        }
    }
}

impl Error {
    /// A failure of this sort.
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), hint: None, source: None, again_after: None }
    }

    /// No failure: what is waited for is not there yet, and is worth another look after a while. The
    /// engine visits the resource again until it is ready, or until its patience ends; whatever stands
    /// on it waits. `what` says for what: "port 80 of db is not open".
    pub fn not_yet(what: impl Into<String>, again_after: Duration) -> Self {
        Self { again_after: Some(again_after), ..Self::new(ErrorKind::NotYet, what) }
    }

    /// A failure of no particular sort.
    pub fn failed(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Failed, what)
    }

    /// The system call behind `what` failed on `path`.
    pub fn io(what: &str, path: &Path, source: std::io::Error) -> Self {
        let kind = match source.kind() {
            std::io::ErrorKind::NotFound => ErrorKind::Missing,
            std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
                ErrorKind::Denied
            }
            std::io::ErrorKind::TimedOut => ErrorKind::TimedOut,
            _ => ErrorKind::Failed,
        };
        Self::new(kind, format!("cannot {what} {}", path.display())).because(source)
    }

    /// The same, with what caused it.
    #[must_use]
    pub fn because(mut self, source: impl Into<Source>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The same, with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same failure, seen from one level up: `what` was attempted.
    #[must_use]
    pub fn while_(self, what: impl Into<String>) -> Self {
        let again_after = self.again_after;
        Self { kind: self.kind, what: what.into(), hint: None, source: Some(Box::new(self)), again_after }
    }

    /// What sort of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// When to look again, if it is not ready yet.
    pub fn again_after(&self) -> Option<Duration> {
        self.again_after
    }

    /// Advice, from here or from a cause.
    pub fn advice(&self) -> Option<&str> {
        self.hint.as_deref().or_else(|| self.source.as_ref()?.downcast_ref::<Error>()?.advice())
    }

    /// The whole chain on one line: `cannot write /x: permission denied`.
    pub fn chain(&self) -> String {
        let mut text = self.what.clone();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// The file at `path` has `size` bytes, more than may be read.
pub fn too_large(path: &Path, size: u64, limit: u64) -> Error {
    let what = format!("cannot read {}: it has {size} bytes, and the limit is {limit}", path.display());
    Error::new(ErrorKind::Invalid, what).hint("find out what made it so large")
}

/// Another thing is at `path` than the one that was looked at a moment ago.
pub fn replaced(path: &Path) -> Error {
    let what = format!("{} was replaced by another process while it was changed", path.display());
    Error::new(ErrorKind::UnsafeLink, what)
}

/// What is said about a link that another user can have planted. Safe to follow whatever the link leads to, and whoever owns
/// its directory: it names neither.
pub const UNSAFE_LINK_HINT: &str = "find out who made the link; use a path whose directories only root and the user that runs Uphold can write";

/// `path` cannot be used because `link`, on the way to it, can have been planted by another user.
pub fn unsafe_link(link: &Path, path: &Path) -> Error {
    let what = format!(
        "cannot reach {}: {} is a symbolic link in a directory that others can write",
        path.display(),
        link.display()
    );
    Error::new(ErrorKind::UnsafeLink, what).hint(UNSAFE_LINK_HINT)
}

/// A thing of the wrong type sits at `path`.
pub fn wrong_type(path: impl Into<PathBuf>, found: &str, wanted: &str) -> Error {
    let path = path.into();
    Error::new(ErrorKind::WrongType, format!("{} is {found}, not {wanted}", path.display()))
}

#[cfg(test)]
mod tests {
    use uphold_model::FAILURES;

    use super::ErrorKind::{self, *};

    const ALL: [ErrorKind; 14] = [
        Missing,
        ParentMissing,
        WrongType,
        UnsafeLink,
        Denied,
        Rejected,
        TimedOut,
        Invalid,
        Unsupported,
        Defect,
        NotYet,
        Unpredictable,
        Exposed,
        Failed,
    ];

    /// Configurations know these words, and not this enum.
    #[test]
    fn what_may_pass_is_what_retry_takes() {
        let may_pass =
            |kind: &ErrorKind| !matches!(kind, Invalid | Defect | NotYet | Unpredictable | Exposed);
        let mut words: Vec<&str> = ALL.into_iter().filter(may_pass).map(ErrorKind::word).collect();
        words.sort_unstable();
        assert_eq!(words, FAILURES);
        assert!(
            ALL.iter().zip(0..).all(|(kind, at)| *kind as usize == at) && Failed as usize == ALL.len() - 1
        );
    }
}
