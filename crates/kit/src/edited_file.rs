//! Editing part of a file that other programs edit, too.
//!
//! ```
//! use std::path::Path;
//!
//! use uphold_kit::edited_file::EditedFile;
//! use uphold_kit::prelude::*;
//!
//! /// Sets `KEY=value` in a file of assignments; all other lines keep every byte.
//! fn assign(path: &Path, key: &str, value: &str, host: &Act<'_>) -> Result<()> {
//!     let prefix = format!("{key}=");
//!     EditedFile::named(path, false).rewrite_lines(host, |lines| {
//!         lines.put(format!("{prefix}{value}"), |line| line.starts_with(prefix.as_bytes()));
//!     })
//! }
//! ```

use std::path::Path;
use std::sync::Arc;

use uphold_resource::{
    Access, Act, Claim, Claims, Error, ErrorKind, NewFile, Parsed, Previous, Reading, Result, Verify,
};

use crate::document::Document;
use crate::regular_file;
use crate::verification::Verification;

/// Maximum number of attempts while another process changes the file.
const ATTEMPTS: usize = 8;

/// The mode of a new file.
const NEW_FILE: u32 = 0o644;

/// The mode of a new parent directory.
const NEW_DIRECTORY: u32 = 0o755;

/// The kind that puts back the whole content of a file.
const FILE: &str = "file";

/// Files and directories that package managers need before they can install packages.
const FOR_PACKAGES: [&str; 15] = [
    "/etc/apt",
    "/etc/dpkg",
    "/etc/dnf",
    "/etc/yum",
    "/etc/yum.conf",
    "/etc/yum.repos.d",
    "/etc/zypp",
    "/etc/apk",
    "/etc/pacman.conf",
    "/etc/pacman.d",
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/nsswitch.conf",
    "/etc/environment",
    "/etc/ssl",
];

/// A file that is edited in part, and the rules of the edit: whether it may be created or removed, and its check.
#[derive(Clone, Copy)]
pub struct EditedFile<'a> {
    path: &'a Path,
    missing: Missing,
    /// Whether to remove the file once it is empty.
    remove_if_empty: bool,
    /// The check of the new content.
    verification: Option<&'a Verification>,
}

/// How a missing file is handled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Refused,
    Created,
    /// Created with its parent directory, such as `/etc/sysctl.d`, which a minimal system may not have.
    CreatedWithDirectory,
}

impl<'a> EditedFile<'a> {
    /// A file named by the user. `create`: whether it may be created.
    pub fn named(path: &'a Path, create: bool) -> Self {
        let missing = if create { Missing::Created } else { Missing::Refused };
        Self { path, missing, remove_if_empty: false, verification: None }
    }

    /// A configuration file of the system, created with its directory if it is missing.
    pub fn of_system(path: &'a Path) -> Self {
        Self { path, missing: Missing::CreatedWithDirectory, remove_if_empty: false, verification: None }
    }

    /// The same file, whose new content is checked before it is put in place.
    pub fn verified(self, verification: &'a Verification) -> Self {
        Self { verification: Some(verification), ..self }
    }

    /// The same file, removed once it is empty.
    pub fn or_nothing(self) -> Self {
        Self { remove_if_empty: true, ..self }
    }

    /// The whole file as it was. `or_values`: the edited part alone if the file was changed meanwhile.
    pub fn previous(self, or_values: bool) -> Previous {
        Previous::Content { path: self.path.to_owned(), kind: FILE, or_values }
    }

    /// Claims part of the file. If it may be created, packages that provide it come first, other than for files
    /// that package managers need themselves. Nothing in the file has the name of the resource.
    pub fn claim(self, claims: &mut Claims) {
        let is_for_packages = FOR_PACKAGES.iter().any(|place| self.path.starts_with(place));
        claims.creates_edited |= self.missing == Missing::Created && !is_for_packages;
        claims.put_part(Claim::Path(self.path.to_owned()));
        claims.only_labelled = true;
    }

    /// The file parsed as `T`; none if it does not exist. It is parsed once for all resources, and again only if it
    /// changes.
    ///
    /// # Errors
    /// If it is not a regular file, or cannot be read or parsed.
    pub fn parsed<T: Parsed>(self, host: &Reading<'_>) -> Result<Option<Arc<T>>> {
        match regular_file::look(self.path, host)? {
            Some(_) => host.parsed(self.path),
            None => Ok(None),
        }
    }

    /// Writes the result of `edit` if it differs from the current content; a missing file counts as empty. Owner
    /// and mode are kept; a new file gets mode 0644, which the engine restricts for a secret.
    ///
    /// # Errors
    /// The failure of `edit` or of the check, and then nothing is written; or the file does not exist and may not be
    /// created.
    pub fn rewrite(self, host: &Act<'_>, mut edit: impl FnMut(&[u8]) -> Result<Vec<u8>>) -> Result<()> {
        for _ in 0..ATTEMPTS {
            if self.try_to_rewrite(host, &mut edit)? {
                return Ok(());
            }
        }
        Err(self.failed(Error::failed("another process keeps changing it")))
    }

    /// Returns false if another process changed the file while it was edited.
    fn try_to_rewrite(self, host: &Act<'_>, edit: &mut dyn FnMut(&[u8]) -> Result<Vec<u8>>) -> Result<bool> {
        let old = regular_file::read_to_edit(self.path, host)?;
        if old.is_none() && self.missing == Missing::Refused {
            let what = format!("{} does not exist", host.shown(self.path).display());
            let hint = "if a package or another resource creates it, name that in `depends_on`; set `create = true` only if nothing else creates the file";
            return Err(Error::new(ErrorKind::Missing, what).hint(hint));
        }
        let new = edit(old.as_deref().unwrap_or_default()).map_err(|error| self.failed(error))?;
        match old {
            Some(_) if new.is_empty() && self.remove_if_empty => {
                host.edits().remove_file(self.path).map(|()| true)
            }
            Some(old) if old == new => Ok(true),
            None if new.is_empty() => Ok(true),
            old => self.write(&new, old.as_deref(), host),
        }
    }

    /// Like `rewrite`, for a document of lines.
    pub fn rewrite_lines(self, host: &Act<'_>, mut edit: impl FnMut(&mut Document<'_>)) -> Result<()> {
        self.rewrite(host, |old| {
            let mut document = Document::new(old);
            edit(&mut document);
            Ok(document.content())
        })
    }

    /// Adds the path of the file to an error.
    pub fn failed(self, error: Error) -> Error {
        error.while_(format!("cannot edit {}", self.path.display()))
    }

    fn write(self, content: &[u8], old: Option<&[u8]>, host: &Act<'_>) -> Result<bool> {
        let is_new = old.is_none();
        if is_new && self.missing == Missing::CreatedWithDirectory {
            self.make_directory(host)?;
        }
        let access = Access { mode: is_new.then_some(NEW_FILE), ..Access::default() };
        let check =
            |candidate: &Path| self.verification.map_or(Ok(()), |checked| checked.run(candidate, host));
        let verify: Option<&Verify<'_>> =
            if self.verification.is_some_and(Verification::is_set) { Some(&check) } else { None };
        host.edits().write_over(self.path, old, &NewFile { verify, ..NewFile::new(content, access) })
    }

    fn make_directory(self, host: &Act<'_>) -> Result<()> {
        let Some(parent) = self.path.parent() else { return Ok(()) };
        if host.files().look(parent)?.is_some() {
            return Ok(());
        }
        host.edits().make_directory(parent, &Access { mode: Some(NEW_DIRECTORY), ..Access::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_come_before_files_that_they_may_provide() {
        let check = |path: &str, create: bool, expected: bool| {
            let mut claims = Claims::default();
            EditedFile::named(Path::new(path), create).claim(&mut claims);
            assert_eq!(claims.creates_edited, expected, "{path}");
            assert_eq!(claims.edits, [Claim::Path(path.into())]);
        };
        check("/etc/screenrc", true, true);
        check("/etc/screenrc", false, false);
        // Files that are needed to fetch packages come before them.
        check("/etc/apt/apt.conf.d/80proxy", true, false);
        check("/etc/hosts", true, false);
        check("/etc/apt-listchanges.conf", true, true);
    }
}
