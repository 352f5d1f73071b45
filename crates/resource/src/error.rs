//! Errors of reading and changing the machine.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold_model::Problem;

/// The result of an operation on the machine.
pub type Result<T, E = Error> = std::result::Result<T, E>;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// A failed operation: what was attempted, on what, and why it failed. `Display` prints only this error, not its source.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    what: String,
    hint: Option<String>,
    source: Option<Source>,
    retry_after: Option<Duration>,
}

/// The category of a failure. Retries, facts and reports depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Something that is required does not exist.
    Missing,
    /// The parent directory does not exist.
    ParentMissing,
    /// Something of another type is in the way.
    WrongType,
    /// A symbolic link that another user could have planted.
    UnsafeLink,
    /// The system denied access.
    Denied,
    /// A command, a check or a verification failed.
    Rejected,
    /// It took too long.
    TimedOut,
    /// A value is invalid.
    Invalid,
    /// The kind does not support the operation.
    Unsupported,
    /// The kind has a defect.
    Defect,
    /// Not ready; to be checked again later: see [`Error::not_yet`].
    NotYet,
    /// The effect cannot be predicted without doing it.
    Unpredictable,
    /// A secret would be visible to every local user.
    Exposed,
    /// Any other failure.
    Failed,
}

impl ErrorKind {
    /// The name in configurations and reports.
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

    /// A description that reveals nothing else, for failures whose details are hidden.
    pub fn words(self) -> &'static str {
        match self {
            ErrorKind::Missing => "something required is missing",
            ErrorKind::ParentMissing => "the parent directory is missing",
            ErrorKind::WrongType => "something of another type is in the way",
            ErrorKind::UnsafeLink => "a symbolic link in the path is not trusted",
            ErrorKind::Denied => "the system denied access",
            ErrorKind::Rejected => "a check failed",
            ErrorKind::TimedOut => "it took too long",
            ErrorKind::Invalid => "a value is invalid",
            ErrorKind::Unsupported => "the kind does not support it",
            ErrorKind::Defect => "the kind has a defect",
            ErrorKind::NotYet => "it is not ready yet",
            ErrorKind::Unpredictable => "the result cannot be predicted",
            ErrorKind::Exposed => {
                "a secret would be an argument of a command, which every local user can read: pass it in `env` or in a file"
            }
            ErrorKind::Failed => "it failed",
        }
    }
}

impl Error {
    /// A failure of this category.
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), hint: None, source: None, retry_after: None }
    }

    /// Not a failure: the resource is not ready, and is checked again after `retry_after`. The engine visits it again until
    /// it is ready or its time is over; its dependents wait. `what` describes the condition: "port 80 of db is not open".
    pub fn not_yet(what: impl Into<String>, retry_after: Duration) -> Self {
        Self { retry_after: Some(retry_after), ..Self::new(ErrorKind::NotYet, what) }
    }

    /// A failure of no particular category.
    pub fn failed(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Failed, what)
    }

    /// The failure of a system call: `what` is its verb, as in "cannot `what` `path`".
    pub fn io(what: &str, path: &Path, source: std::io::Error) -> Self {
        let kind = match source.kind() {
            std::io::ErrorKind::NotFound => ErrorKind::Missing,
            std::io::ErrorKind::PermissionDenied => ErrorKind::Denied,
            std::io::ErrorKind::TimedOut => ErrorKind::TimedOut,
            _ => ErrorKind::Failed,
        };
        let is_read_only = source.kind() == std::io::ErrorKind::ReadOnlyFilesystem;
        let error = Self::new(kind, format!("cannot {what} {}", path.display())).because(source);
        if is_read_only {
            error.hint("the file system is mounted read-only: remount it writable, or choose another path")
        } else {
            error
        }
    }

    /// Adds the cause.
    #[must_use]
    pub fn because(mut self, source: impl Into<Source>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Adds a hint for the user.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Wraps the failure in the operation that it is part of: `what` was attempted.
    #[must_use]
    pub fn while_(self, what: impl Into<String>) -> Self {
        let retry_after = self.retry_after;
        Self { kind: self.kind, what: what.into(), hint: None, source: Some(Box::new(self)), retry_after }
    }

    /// The category.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The delay before the next check, if the resource is not ready.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// The hint, from this error or from a cause.
    pub fn advice(&self) -> Option<&str> {
        self.hint.as_deref().or_else(|| self.source.as_ref()?.downcast_ref::<Error>()?.advice())
    }

    /// The error and all its causes in one line: `cannot write /x: permission denied`.
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

/// The error as a broken rule, for a check of a declaration that a visit makes, too.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let fix = error.advice().unwrap_or("change the value").to_owned();
        Problem::new(None, format!("is refused: {}", error.chain()), fix).computed()
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

/// The error for a file of `size` bytes, which exceeds `limit`.
pub fn too_large(path: &Path, size: u64, limit: u64) -> Error {
    let what = format!("cannot read {}: it has {size} bytes, and the limit is {limit}", path.display());
    Error::new(ErrorKind::Invalid, what).hint("check why it is so large")
}

/// The error for a path at which another file appeared between check and change.
pub fn replaced(path: &Path) -> Error {
    let what = format!("{} was replaced by another process while it was changed", path.display());
    Error::new(ErrorKind::UnsafeLink, what)
}

/// The hint for a symbolic link that another user can have planted. It is safe to follow: it suggests neither to use the
/// target of the link nor to change its directory.
pub const UNSAFE_LINK_HINT: &str = "find out who made the link; use a path whose directories only root and the user that runs Uphold can write";

/// The error for a path that cannot be used because another user can have planted `link`, one of its components.
pub fn unsafe_link(link: &Path, path: &Path) -> Error {
    let what = format!(
        "cannot reach {}: {} is a symbolic link in a directory that others can write",
        path.display(),
        link.display()
    );
    Error::new(ErrorKind::UnsafeLink, what).hint(UNSAFE_LINK_HINT)
}

/// The error for a path at which something of another type exists.
pub fn wrong_type(path: impl Into<PathBuf>, found: &str, wanted: &str) -> Error {
    let path = path.into();
    Error::new(ErrorKind::WrongType, format!("{} is {found}, not {wanted}", path.display()))
}

#[cfg(test)]
mod tests {
    use uphold_model::FAILURES;

    use super::Error;
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

    #[test]
    fn a_read_only_file_system_is_no_lack_of_permission() {
        let source = std::io::Error::from(std::io::ErrorKind::ReadOnlyFilesystem);
        let error = Error::io("write", "/usr/x".as_ref(), source);
        assert_eq!(error.kind(), Failed);
        assert!(
            error.advice().is_some_and(|advice| advice.starts_with("the file system is mounted read-only"))
        );
    }

    /// The configuration language lists the same words, without access to this enum.
    #[test]
    fn retry_accepts_the_kinds_that_can_pass() {
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
