//! The location of a crontab, and how it is changed.

use std::path::{Path, PathBuf};

use uphold_kit::{regular_file, tool};
use uphold_resource::{Access, Act, Command, ErrorKind, NewFile, Reading, Result};

use super::entry::Form;

/// The directory of system crontabs.
pub(super) const SYSTEM: &str = "/etc/cron.d";

/// The possible directories of users' crontabs. The first one that exists is used.
const SPOOLS: [&str; 3] = ["/var/spool/cron/crontabs", "/var/spool/cron", "/etc/crontabs"];

/// The mode of a new system crontab; `cron` ignores one that others can write.
const NEW_FILE: u32 = 0o644;

/// A crontab.
pub(super) enum Place {
    /// A user's crontab, changed with `crontab`, so that `cron` notices.
    Own { user: String, path: PathBuf },
    /// A system crontab.
    Shared { path: PathBuf },
}

impl Place {
    /// The system crontab with this file name.
    pub(super) fn shared(file: &str) -> Self {
        Self::Shared { path: Path::new(SYSTEM).join(file) }
    }

    /// The crontab of this user.
    pub(super) fn own(user: String, host: &Reading<'_>) -> Result<Self> {
        let path = spool(host)?.join(&user);
        Ok(Self::Own { user, path })
    }

    pub(super) fn path(&self) -> &Path {
        let (Self::Own { path, .. } | Self::Shared { path }) = self;
        path
    }

    pub(super) fn form(&self) -> Form {
        match self {
            Self::Own { .. } => Form::Own,
            Self::Shared { .. } => Form::Shared,
        }
    }

    /// The content for a check; empty if the file does not exist.
    pub(super) fn read(&self, host: &Reading<'_>) -> Result<String> {
        let found = regular_file::read(self.path(), host)?;
        Ok(found.map_or(String::new(), |(_, content)| text(content)))
    }

    /// The content for an edit; empty if the file does not exist.
    pub(super) fn content(&self, host: &Act<'_>) -> Result<String> {
        regular_file::read_to_edit(self.path(), host).map(|content| content.map_or(String::new(), text))
    }

    /// Writes `content`. A crontab without content is removed.
    pub(super) fn write(&self, content: &str, host: &Act<'_>) -> Result<()> {
        let exists = host.files().look(self.path())?.is_some();
        match self {
            Self::Own { user, .. } => crontab(user, content, host),
            Self::Shared { path } if content.trim().is_empty() => host.edits().remove_file(path),
            Self::Shared { path } => {
                let access = if exists {
                    Access::default()
                } else {
                    Access { mode: Some(NEW_FILE), uid: Some(0), gid: Some(0) }
                };
                let file = NewFile::new(content.as_bytes(), access);
                host.edits().write(path, &file)
            }
        }
    }
}

fn spool(host: &Reading<'_>) -> Result<PathBuf> {
    for spool in SPOOLS {
        if host.files().look(Path::new(spool))?.is_some() {
            return Ok(PathBuf::from(spool));
        }
    }
    Ok(PathBuf::from(SPOOLS[0]))
}

fn crontab(user: &str, content: &str, host: &Act<'_>) -> Result<()> {
    let empty = content.trim().is_empty();
    let command = Command {
        stdin: (!empty).then(|| content.as_bytes().to_vec()),
        ..tool::command("crontab", ["-u", user, if empty { "-r" } else { "-" }])
    };
    let ran = tool::run(&command, &format!("cannot change the crontab of `{user}`"), host);
    ran.map(drop).map_err(|error| match error.kind() {
        ErrorKind::Missing => error.hint("install a cron daemon, such as the package `cron`"),
        _ => error,
    })
}

/// Invalid UTF-8 in one line does not affect the others.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
