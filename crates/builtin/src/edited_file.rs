//! A file of which a part is changed.

use std::path::Path;
use std::sync::Arc;

use uphold_resource::{
    Access, Act, Claim, Claims, Error, ErrorKind, NewFile, Parsed, READ_LIMIT, Reading, Result,
};

use crate::line::Document;
use crate::regular_file;

/// How often an edit is made again because another process changed the file meanwhile.
const ATTEMPTS: usize = 8;

/// What a file gets that is created by a change of a part.
const NEW_FILE: u32 = 0o644;

/// What a directory gets that is created for a file.
const NEW_DIRECTORY: u32 = 0o755;

/// Files and directories that package managers read before they install anything, or that they reach their servers with.
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

/// A file of which a part is changed.
#[derive(Clone, Copy)]
pub(crate) struct EditedFile<'a> {
    path: &'a Path,
    missing: Missing,
    /// Whether it goes if nothing is left in it.
    goes_if_empty: bool,
}

/// What is done if it is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Refused,
    Created,
    /// With the directory that it is in, such as `/etc/sysctl.d`, which a small system does not have before somebody
    /// needs it.
    CreatedWithDirectory,
}

impl<'a> EditedFile<'a> {
    /// One that the user named, and whether it may be created.
    pub(crate) fn named(path: &'a Path, create: bool) -> Self {
        let missing = if create { Missing::Created } else { Missing::Refused };
        Self { path, missing, goes_if_empty: false }
    }

    /// One that the system reads. It is created where it is needed, with its directory.
    pub(crate) fn of_system(path: &'a Path) -> Self {
        Self { path, missing: Missing::CreatedWithDirectory, goes_if_empty: false }
    }

    /// The same, but it goes if nothing is left in it.
    pub(crate) fn or_nothing(self) -> Self {
        Self { goes_if_empty: true, ..self }
    }

    /// Claims a part of the file. One that may be created is left to a package that brings it, except for those that packages
    /// are fetched with.
    pub(crate) fn claim(self, claims: &mut Claims) {
        let is_for_packages = FOR_PACKAGES.iter().any(|place| self.path.starts_with(place));
        claims.creates_edited |= self.missing == Missing::Created && !is_for_packages;
        claims.put_part(Claim::Path(self.path.to_owned()));
    }

    /// What `T` makes of what is there; none if nothing is. It is read once for all who ask, and again only if it changed.
    ///
    /// # Errors
    /// If it is no regular file, or cannot be read or understood.
    pub(crate) fn parsed<T: Parsed>(self, host: &Reading<'_>) -> Result<Option<Arc<T>>> {
        match regular_file::look(self.path, host)? {
            Some(_) => host.parsed(self.path),
            None => Ok(None),
        }
    }

    /// Writes what `edit` makes of what is there, unless that is the same; nothing there and nothing left are the same,
    /// too. Owner and mode stay; a new file gets mode 0644, which the engine restricts for a secret.
    ///
    /// # Errors
    /// Whatever `edit` fails with, and then nothing is touched; or that there is no file, and none may
    /// be created.
    pub(crate) fn rewrite(
        self,
        host: &Act<'_>,
        mut edit: impl FnMut(&[u8]) -> Result<Vec<u8>>,
    ) -> Result<()> {
        for _ in 0..ATTEMPTS {
            if self.try_to_rewrite(host, &mut edit)? {
                return Ok(());
            }
        }
        Err(self.failed(Error::failed("another process changes it again and again")))
    }

    /// Returns false if another process changed the file while it was edited.
    fn try_to_rewrite(self, host: &Act<'_>, edit: &mut dyn FnMut(&[u8]) -> Result<Vec<u8>>) -> Result<bool> {
        let old = existing(self.path, host)?;
        if old.is_none() && self.missing == Missing::Refused {
            let what = format!("{} does not exist", self.path.display());
            let hint = "declare what makes it, as in `depends_on = [package.NAME]`, or set `create = true`";
            return Err(Error::new(ErrorKind::Missing, what).hint(hint));
        }
        let new = edit(old.as_deref().unwrap_or_default()).map_err(|error| self.failed(error))?;
        match old {
            Some(_) if new.is_empty() && self.goes_if_empty => {
                host.edits().remove_file(self.path).map(|()| true)
            }
            Some(old) if old == new => Ok(true),
            None if new.is_empty() => Ok(true),
            old => self.write(&new, old.as_deref(), host),
        }
    }

    /// The same, line by line.
    pub(crate) fn rewrite_lines(self, host: &Act<'_>, mut edit: impl FnMut(&mut Document<'_>)) -> Result<()> {
        self.rewrite(host, |old| {
            let mut document = Document::new(old);
            edit(&mut document);
            Ok(document.content())
        })
    }

    /// The same failure, with the file that it happened to.
    pub(crate) fn failed(self, error: Error) -> Error {
        error.while_(format!("cannot edit {}", self.path.display()))
    }

    fn write(self, content: &[u8], old: Option<&[u8]>, host: &Act<'_>) -> Result<bool> {
        let is_new = old.is_none();
        if is_new && self.missing == Missing::CreatedWithDirectory {
            self.make_directory(host)?;
        }
        let access = Access { mode: is_new.then_some(NEW_FILE), ..Access::default() };
        host.edits().write_over(self.path, old, &NewFile::new(content, access))
    }

    fn make_directory(self, host: &Act<'_>) -> Result<()> {
        let Some(parent) = self.path.parent() else { return Ok(()) };
        if host.files().look(parent)?.is_some() {
            return Ok(());
        }
        host.edits().make_directory(parent, &Access { mode: Some(NEW_DIRECTORY), ..Access::default() })
    }
}

/// What is at `path`, to be written back; none if nothing is. What `load` saw does not count: it may have come
/// through a link that somebody planted on the way.
pub(crate) fn existing(path: &Path, host: &Act<'_>) -> Result<Option<Vec<u8>>> {
    match host.edits().content(path, READ_LIMIT) {
        Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::ParentMissing) => Ok(None),
        content => content.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_packages_may_bring_is_left_to_them() {
        let check = |path: &str, create: bool, expected: bool| {
            let mut claims = Claims::default();
            EditedFile::named(Path::new(path), create).claim(&mut claims);
            assert_eq!(claims.creates_edited, expected, "{path}");
            assert_eq!(claims.edits, [Claim::Path(path.into())]);
        };
        check("/etc/screenrc", true, true);
        check("/etc/screenrc", false, false);
        // What packages are fetched with has to be there before them.
        check("/etc/apt/apt.conf.d/80proxy", true, false);
        check("/etc/hosts", true, false);
        check("/etc/apt-listchanges.conf", true, true);
    }
}
