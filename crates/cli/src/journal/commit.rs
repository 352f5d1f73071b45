//! The commit of a configuration that is in a git repository.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a configuration is on this machine, whatever is managed"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The repository of a configuration.
pub(super) struct Repository {
    directory: PathBuf,
    /// The commit that is checked out.
    pub(super) commit: String,
}

impl Repository {
    /// The repository around `path`. Reads files of git, and runs no program: every run needs this.
    pub(super) fn around(path: &Path) -> Option<Self> {
        let directory = path.ancestors().find(|directory| directory.join(".git").exists())?;
        let git = git_directory(directory)?;
        let head = std::fs::read_to_string(git.join("HEAD")).ok()?;
        let Some(reference) = head.trim().strip_prefix("ref: ") else {
            return Some(Self { directory: directory.to_owned(), commit: commit_id(&head)? });
        };
        let common = std::fs::read_to_string(git.join("commondir"));
        let common = common.map_or_else(|_| git.clone(), |path| git.join(path.trim()));
        let commit = [&git, &common]
            .into_iter()
            .find_map(|place| commit_id(&std::fs::read_to_string(place.join(reference)).ok()?))
            .or_else(|| packed(&std::fs::read_to_string(common.join("packed-refs")).ok()?, reference))?;
        Some(Self { directory: directory.to_owned(), commit })
    }

    /// Whether nothing is uncommitted. Asks git, which takes milliseconds.
    pub(super) fn is_clean(&self) -> Option<bool> {
        let output = Command::new("git")
            .arg("-C")
            .arg(&self.directory)
            .args(["--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--porcelain"])
            .stdin(Stdio::null())
            .output()
            .ok()?;
        output.status.success().then_some(output.stdout.is_empty())
    }
}

/// The directory with the files of git; in a linked work tree, `.git` is a file that names it.
fn git_directory(directory: &Path) -> Option<PathBuf> {
    let git = directory.join(".git");
    match std::fs::read_to_string(&git) {
        Ok(text) => Some(directory.join(text.trim().strip_prefix("gitdir: ")?)),
        Err(_) => Some(git),
    }
}

fn commit_id(text: &str) -> Option<String> {
    let id = text.trim();
    let is_id = id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| id.to_owned())
}

fn packed(references: &str, reference: &str) -> Option<String> {
    let mut lines = references.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(_, name)| *name == reference).and_then(|(id, _)| commit_id(id))
}
