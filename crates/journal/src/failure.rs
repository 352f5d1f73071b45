//! Failures of the journal: values that a caller reports while the run goes on.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

/// A file of the journal that could not be read or written.
///
/// A run goes on without the journal; it is only less informed.
#[derive(Clone, Debug)]
pub struct Failure {
    attempt: &'static str,
    file: String,
    source: Arc<io::Error>,
}

impl Failure {
    pub(crate) fn new(attempt: &'static str, file: &str, source: io::Error) -> Self {
        Self { attempt, file: file.to_owned(), source: Arc::new(source) }
    }

    /// The cause alone, such as `No space left on device`.
    pub fn reason(&self) -> String {
        let text = self.source.to_string();
        match text.find(" (os error") {
            Some(end) => text[..end].to_owned(),
            None => text,
        }
    }

    /// The kind of the cause: a full disk, a read-only file system, missing permissions.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}` of the journal", self.attempt, self.file)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}

/// The result of an operation of the journal.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Adds attempt and file to an error of the storage.
pub(crate) trait Attempt<T> {
    fn attempt(self, attempt: &'static str, file: &str) -> Result<T>;
}

impl<T> Attempt<T> for io::Result<T> {
    fn attempt(self, attempt: &'static str, file: &str) -> Result<T> {
        self.map_err(|source| Failure::new(attempt, file, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_file_and_the_reason() {
        let failure = Failure::new("append to", "pending", io::Error::from_raw_os_error(28));
        assert_eq!(failure.to_string(), "cannot append to `pending` of the journal");
        assert_eq!(failure.reason(), "No space left on device");
        assert_eq!(failure.kind(), io::ErrorKind::StorageFull);
    }
}
