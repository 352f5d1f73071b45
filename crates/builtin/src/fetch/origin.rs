//! Information about the source of a file, stored next to it as `.NAME.uphold-origin`.

use std::path::{Path, PathBuf};

use uphold_kit::checksum::Checksum;
use uphold_kit::digest::Digest;
use uphold_resource::{
    Access, Act, Entry, EntryKind, ErrorKind, NewFile, Reading, Response, Result, Url, sibling_name,
};

/// Readable and writable for the owner only.
const PRIVATE: u32 = 0o600;

/// The source and version of a file that is complete or partly downloaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The digest of the URL, which itself may contain a secret.
    url: String,
    etag: Option<String>,
    modified: Option<String>,
    /// The digest of the complete file; none while it is incomplete.
    content: Option<String>,
}

impl Origin {
    /// The origin that `response` describes for `url`.
    pub(crate) fn new(url: &Url, response: &Response) -> Self {
        let header = |name: &str| response.header(name).map(str::to_owned);
        Self { url: digest(url), etag: header("etag"), modified: header("last-modified"), content: None }
    }

    /// The same, for a complete file.
    pub(crate) fn complete(self, content: &Checksum) -> Self {
        Self { content: Some(content.to_string()), ..self }
    }

    /// Whether a file with this digest is the complete file.
    pub(crate) fn is_of(&self, content: &Checksum) -> bool {
        self.content.as_deref() == Some(&content.to_string())
    }

    /// Whether it was downloaded from `url`.
    pub(crate) fn is_from(&self, url: &Url) -> bool {
        self.url == digest(url)
    }

    /// Whether the file is incomplete.
    pub(crate) fn is_partial(&self) -> bool {
        self.content.is_none()
    }

    /// The validator that proves to a server that a part belongs to its version. A weak tag is not sufficient.
    pub(crate) fn validator(&self) -> Option<&str> {
        let strong = self.etag.as_deref().filter(|tag| !tag.starts_with("W/"));
        strong.or(self.modified.as_deref())
    }

    /// The header that makes a server respond only if it has another version.
    pub(crate) fn condition(&self) -> Option<(&'static str, &str)> {
        let tag = self.etag.as_deref().map(|tag| ("If-None-Match", tag));
        tag.or_else(|| self.modified.as_deref().map(|date| ("If-Modified-Since", date)))
    }

    /// Whether `response` describes the same version.
    pub(crate) fn is_same_version(&self, response: &Response) -> bool {
        match (&self.etag, &self.modified) {
            (Some(tag), _) => response.header("etag") == Some(tag),
            (None, Some(date)) => response.header("last-modified") == Some(date),
            (None, None) => false,
        }
    }

    /// The stored origin of `path`; none if it is unreadable, or if another user could have written it.
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

    /// Stores it for `path`.
    pub(crate) fn write(&self, path: &Path, host: &Act<'_>) -> Result<()> {
        // Otherwise a replaced file would keep its owner.
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

/// Whether only the current user can have written it.
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

/// Removes the stored origin of `path`.
pub(crate) fn forget(path: &Path, host: &Act<'_>) -> Result<()> {
    match host.files().look(&place(path))? {
        Some(_) => host.edits().remove_file(&place(path)),
        None => Ok(()),
    }
}

/// The path of the stored origin.
pub(crate) fn place(path: &Path) -> PathBuf {
    path.with_file_name(sibling_name(path.file_name().unwrap_or_default(), "origin"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_round_trips() {
        let origin = Origin { url: "u".into(), etag: Some("\"a b\"".into()), modified: None, content: None };
        assert_eq!(parse(&origin.text()), Some(origin.clone()));
        let whole = Origin { modified: Some("Mon".into()), content: Some("sha256:1".into()), ..origin };
        assert_eq!(parse(&whole.text()), Some(whole));
        assert_eq!(parse("nonsense"), None);
        assert_eq!(place(Path::new("/srv/x.tar")), Path::new("/srv/.x.tar.uphold-origin"));
    }

    #[test]
    fn validator_is_strong() {
        let check = |etag: Option<&str>, modified: Option<&str>, validator: Option<&str>| {
            let own = |text: Option<&str>| text.map(str::to_owned);
            let origin = Origin { etag: own(etag), modified: own(modified), ..Origin::default() };
            assert_eq!(origin.validator(), validator, "{etag:?} {modified:?}");
        };
        check(Some("\"a\""), Some("Mon"), Some("\"a\""));
        check(Some("W/\"a\""), Some("Mon"), Some("Mon"));
        check(Some("W/\"a\""), None, None);
        check(None, None, None);
    }
}
