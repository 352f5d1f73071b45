//! What is known of where a file came from, kept beside it as `.NAME.uphold-origin`.

use std::path::{Path, PathBuf};

use uphold_resource::{
    Access, Act, Entry, EntryKind, ErrorKind, NewFile, Reading, Response, Result, Url, sibling_name,
};

use super::checksum::Checksum;
use crate::file::Digest;

/// Only we can read and write it.
const PRIVATE: u32 = 0o600;

/// Which version of what a file is, or will be when the rest of it has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The digest of the URL: that itself may hold a secret.
    url: String,
    etag: Option<String>,
    modified: Option<String>,
    /// What all of it is; none until all of it has come.
    content: Option<String>,
}

impl Origin {
    /// What `response` says about what is at `url`.
    pub(crate) fn new(url: &Url, response: &Response) -> Self {
        let header = |name: &str| response.header(name).map(str::to_owned);
        Self { url: digest(url), etag: header("etag"), modified: header("last-modified"), content: None }
    }

    /// The same, once all of it has come.
    pub(crate) fn complete(self, content: &Checksum) -> Self {
        Self { content: Some(content.to_string()), ..self }
    }

    /// Whether a file of this digest is all of it.
    pub(crate) fn is_of(&self, content: &Checksum) -> bool {
        self.content.as_deref() == Some(&content.to_string())
    }

    /// Whether it came from there.
    pub(crate) fn is_from(&self, url: &Url) -> bool {
        self.url == digest(url)
    }

    /// Whether a part of it may be here, and no more.
    pub(crate) fn is_partial(&self) -> bool {
        self.content.is_none()
    }

    /// What a server takes for proof that a part is of the version that it has. A weak tag is none.
    pub(crate) fn proof(&self) -> Option<&str> {
        let strong = self.etag.as_deref().filter(|tag| !tag.starts_with("W/"));
        strong.or(self.modified.as_deref())
    }

    /// What a server is asked with, so that it answers only if it has another version.
    pub(crate) fn condition(&self) -> Option<(&'static str, &str)> {
        let tag = self.etag.as_deref().map(|tag| ("If-None-Match", tag));
        tag.or_else(|| self.modified.as_deref().map(|date| ("If-Modified-Since", date)))
    }

    /// Whether `response` is about the version that this is.
    pub(crate) fn is_same_version(&self, response: &Response) -> bool {
        match (&self.etag, &self.modified) {
            (Some(tag), _) => response.header("etag") == Some(tag),
            (None, Some(date)) => response.header("last-modified") == Some(date),
            (None, None) => false,
        }
    }

    /// What is kept for `path`; none if there is nothing that can be read, or if another user could have written it.
    pub(crate) fn read(path: &Path, host: &Reading<'_>) -> Result<Option<Self>> {
        if !host.files().look(&place(path))?.is_some_and(|entry| is_ours(&entry, host)) {
            return Ok(None);
        }
        match host.files().read(&place(path), 0) {
            Ok(text) => Ok(parse(&String::from_utf8_lossy(&text))),
            Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::WrongType) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps it for `path`.
    pub(crate) fn write(&self, path: &Path, host: &Act<'_>) -> Result<()> {
        // The owner of what is replaced would be kept otherwise.
        let access = Access { mode: Some(PRIVATE), uid: Some(host.accounts().current_uid()), gid: None };
        let content = self.text();
        let file = NewFile::new(content.as_bytes(), access);
        host.edits().write(&place(path), &file)
    }

    fn text(&self) -> String {
        let fields = [
            ("url", Some(&self.url)),
            ("etag", self.etag.as_ref()),
            ("last-modified", self.modified.as_ref()),
            ("content", self.content.as_ref()),
        ];
        let lines = fields.into_iter().filter_map(|(name, value)| Some(format!("{name} {}\n", value?)));
        lines.collect()
    }
}

/// Whether only we can have written it.
fn is_ours(entry: &Entry, host: &Reading<'_>) -> bool {
    entry.kind == EntryKind::File
        && entry.mode == PRIVATE
        && entry.uid == host.accounts().current_uid()
        && entry.links == 1
}

fn parse(text: &str) -> Option<Origin> {
    let field = |name: &str| {
        let value = |line: &str| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
        text.lines().find_map(value)
    };
    let url = field("url")?;
    Some(Origin { url, etag: field("etag"), modified: field("last-modified"), content: field("content") })
}

fn digest(url: &Url) -> String {
    Digest::of(url.as_str().as_bytes()).to_string()
}

/// Forgets what is kept for `path`.
pub(crate) fn forget(path: &Path, host: &Act<'_>) -> Result<()> {
    match host.files().look(&place(path))? {
        Some(_) => host.edits().remove_file(&place(path)),
        None => Ok(()),
    }
}

/// Where it is kept.
pub(crate) fn place(path: &Path) -> PathBuf {
    path.with_file_name(sibling_name(path.file_name().unwrap_or_default(), "origin"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let origin = Origin { url: "u".into(), etag: Some("\"a b\"".into()), modified: None, content: None };
        assert_eq!(parse(&origin.text()), Some(origin.clone()));
        let whole = Origin { modified: Some("Mon".into()), content: Some("sha256:1".into()), ..origin };
        assert_eq!(parse(&whole.text()), Some(whole));
        assert_eq!(parse("nonsense"), None);
        assert_eq!(place(Path::new("/srv/x.tar")), Path::new("/srv/.x.tar.uphold-origin"));
    }

    #[test]
    fn proof_of_a_part_is_strong() {
        let check = |etag: Option<&str>, modified: Option<&str>, proof: Option<&str>| {
            let own = |text: Option<&str>| text.map(str::to_owned);
            let origin = Origin { etag: own(etag), modified: own(modified), ..Origin::default() };
            assert_eq!(origin.proof(), proof, "{etag:?} {modified:?}");
        };
        check(Some("\"a\""), Some("Mon"), Some("\"a\""));
        check(Some("W/\"a\""), Some("Mon"), Some("Mon"));
        check(Some("W/\"a\""), None, None);
        check(None, None, None);
    }
}
