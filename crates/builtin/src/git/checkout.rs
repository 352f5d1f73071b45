//! The state of a checkout, read without running git.

use std::io::Read as _;
use std::path::Path;

use uphold_resource::{EntryKind, Error, ErrorKind, Reading, Result, wrong_type};

use super::revision::Commit;

/// The prefix of a symbolic reference in `HEAD`.
const REF: &str = "ref: ";

/// The prefix of the full name of a branch.
pub(crate) const BRANCHES: &str = "refs/heads/";

/// The maximum size of a file to read, because another user may own the checkout.
const LONGEST: u64 = 64 << 20;

/// The signature of a git index.
const INDEX: &[u8] = b"DIRC";

/// The target of `HEAD`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) commit: Commit,
    /// The branch, unless `HEAD` is detached.
    pub(crate) branch: Option<String>,
}

/// Whether `path` has a checkout, complete or not.
///
/// # Errors
/// If something else is at the path.
pub(crate) fn is_begun(path: &Path, host: &Reading<'_>) -> Result<bool> {
    match host.files().look(path)?.map(|entry| entry.kind) {
        None => return Ok(false),
        Some(EntryKind::Directory) => {}
        Some(kind) => return Err(wrong_type(path, kind.words(), "a directory")),
    }
    match host.files().look(&path.join(".git"))?.map(|entry| entry.kind) {
        Some(EntryKind::Directory) => Ok(true),
        None if host.files().list(path)?.is_empty() => Ok(false),
        None => {
            let what = format!("{} is a directory with other content, not a git checkout", path.display());
            Err(Error::new(ErrorKind::WrongType, what)
                .hint("choose another path, or move its content elsewhere"))
        }
        Some(_) => {
            let what = format!("{} is a git worktree or submodule of another repository", path.display());
            Err(Error::new(ErrorKind::WrongType, what).hint("choose another path"))
        }
    }
}

/// The current commit of the checkout; none if there is none yet.
pub(crate) fn head(path: &Path, host: &Reading<'_>) -> Result<Option<Head>> {
    let git = path.join(".git");
    let Some(name) = reference(path, host)? else {
        let head = text(&git.join("HEAD"), host)?.unwrap_or_default();
        return Ok(Commit::parse(head.trim_end()).map(|commit| Head { commit, branch: None }));
    };
    let commit = match text(&git.join(&name), host)? {
        Some(loose) => Commit::parse(loose.trim_end()),
        None => packed(&text(&git.join("packed-refs"), host)?.unwrap_or_default(), &name),
    };
    let branch = name.strip_prefix(BRANCHES).map(str::to_owned);
    Ok(commit.map(|commit| Head { commit, branch }))
}

/// The reference in `HEAD`, such as `refs/heads/main`; none if it is a commit or missing.
pub(crate) fn reference(path: &Path, host: &Reading<'_>) -> Result<Option<String>> {
    let head = text(&path.join(".git/HEAD"), host)?.unwrap_or_default();
    let name =
        head.trim_end().strip_prefix(REF).filter(|name| name.starts_with("refs/") && !name.contains(".."));
    Ok(name.map(str::to_owned))
}

/// Whether a plausible index exists.
pub(crate) fn has_index(path: &Path, host: &Reading<'_>) -> Result<bool> {
    let index = path.join(".git/index");
    let Some(entry) = host.files().look(&index)? else { return Ok(false) };
    let mut start = [0; INDEX.len()];
    let is_whole =
        entry.kind == EntryKind::File && host.open(&index)?.read_exact(&mut start).is_ok() && start == INDEX;
    Ok(is_whole)
}

/// Whether `HEAD` exists, but names neither a branch nor a commit.
pub(crate) fn is_head_damaged(path: &Path, host: &Reading<'_>) -> Result<bool> {
    let head = text(&path.join(".git/HEAD"), host)?;
    let names = |head: &str| head.starts_with(REF) || Commit::parse(head.trim_end()).is_some();
    Ok(head.is_some_and(|head| !names(&head)))
}

/// The last commit that was checked out, from git's log: for a checkout whose `HEAD` is lost.
pub(crate) fn last_logged(path: &Path, host: &Reading<'_>) -> Result<Option<Commit>> {
    let log = text(&path.join(".git/logs/HEAD"), host)?.unwrap_or_default();
    Ok(log.lines().last().and_then(|line| Commit::parse(line.split(' ').nth(1)?)))
}

/// The URL of the remote with this name in the checkout's configuration.
pub(crate) fn remote(path: &Path, name: &str, host: &Reading<'_>) -> Result<Option<String>> {
    Ok(text(&path.join(".git/config"), host)?.and_then(|config| url(&config, name)))
}

/// The content of a file, up to a limit that no file of git reaches; none if it does not exist.
pub(super) fn text(path: &Path, host: &Reading<'_>) -> Result<Option<String>> {
    let file = match host.open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::Missing => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).map_err(|error| Error::io("read", path, error))?;
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}

/// The commit of a reference in `packed-refs`.
fn packed(text: &str, name: &str) -> Option<Commit> {
    let commit =
        |line: &str| line.split_once(' ').filter(|(_, own)| *own == name).map(|(id, _)| id.to_owned());
    Commit::parse(&text.lines().find_map(commit)?)
}

/// The URL of a remote in a git configuration. The last one counts.
fn url(config: &str, remote: &str) -> Option<String> {
    let head = format!("[remote \"{}\"]", remote.replace('\\', "\\\\").replace('"', "\\\""));
    let (mut inside, mut found) = (false, None);
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == head;
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside)
            && key.trim_end().eq_ignore_ascii_case("url")
        {
            found = Some(unquoted(value.trim()));
        }
    }
    found
}

/// Removes the quotes of a configuration value.
fn unquoted(value: &str) -> String {
    match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
        Some(inner) => inner.replace("\\\"", "\"").replace("\\\\", "\\"),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_urls() {
        let config = "[core]\n\turl = no\n[remote \"origin\"]\n\turl = https://a/\n\tfetch = +x\n\
                      [remote \"b\"]\nURL=\"/a \\\"b\"\n[branch \"x\"]\n\tremote = origin\n";
        let check = |remote: &str, expected: Option<&str>| {
            assert_eq!(url(config, remote).as_deref(), expected, "{remote}");
        };
        check("origin", Some("https://a/"));
        check("b", Some("/a \"b"));
        check("c", None);
    }

    #[test]
    fn finds_packed_references() {
        let id = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
        let text = format!("# pack-refs with: peeled\n{id} refs/heads/main\n^{id}\n");
        assert_eq!(packed(&text, "refs/heads/main"), Commit::parse(id));
        assert_eq!(packed(&text, "refs/heads/mai"), None);
    }
}
