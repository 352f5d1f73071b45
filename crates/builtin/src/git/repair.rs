//! Repairing a checkout that was interrupted or damaged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use uphold_resource::{Access, Act, EntryKind, ErrorKind, NewFile, Reading, Result};

use super::checkout;
use super::revision::{Commit, Target};
use super::tool::{Tool, incomplete};
use super::update::{Update, named};

impl Update<'_> {
    /// Checks out `target` after an interruption or with missing objects. Files that a user changed are not lost.
    pub(super) fn repair(&self, pending: Option<&Pending>, target: &Target) -> Result<()> {
        let found = checkout::head(&self.git.path, self.host)?;
        let on_branch = found.as_ref().is_some_and(|head| head.branch.is_some());
        let head = found.map(|head| head.commit);
        self.fetch_missing(target, head.as_ref(), true)?;
        let mut commits: Vec<Commit> = pending.map_or_else(Vec::new, |pending| pending.commits.clone());
        commits.extend(match &head {
            Some(head) => Some(head.clone()),
            None => checkout::last_logged(&self.git.path, self.host)?,
        });
        commits.retain(|commit| *commit != target.commit);
        commits.push(target.commit.clone());
        let known = self.known(&commits)?;
        let head = head.filter(|head| known.contains(head));
        if !self.git.force {
            self.refuse_loss_by_repair(&known, on_branch && head.is_some())?;
        }
        self.begin(&commits)?;
        if let Some(head) = head
            && !checkout::has_index(&self.git.path, self.host)?
        {
            // Without an index, git would not remove files that the target does not have.
            self.tool.run(&["read-tree", head.as_str()], self.host)?;
        }
        // Completed first, so that files which only the interrupted commit has are removed afterwards.
        if let Some(begun) = pending.and_then(|pending| pending.commits.last())
            && *begun != target.commit
            && known.contains(begun)
        {
            self.tool.run(&["checkout", "-q", "--force", "--detach", begun.as_str()], self.host)?;
        }
        self.check_out(target, true)
    }

    /// Fails if local changes or commits would be lost.
    fn refuse_loss_by_repair(&self, known: &[Commit], on_branch: bool) -> Result<()> {
        let changed = changed_by_others(&self.git.path, known, &self.tool, self.host)?;
        if !changed.is_empty() {
            let why = format!("it was interrupted or damaged, and has local changes in {}", named(&changed));
            return Err(incomplete(self.git, why).hint("move these files elsewhere"));
        }
        if on_branch && self.has_own_commits()? {
            let why = "it was interrupted or damaged, and has local commits";
            return Err(incomplete(self.git, why).hint("push them, or move the checkout elsewhere"));
        }
        Ok(())
    }

    /// Files that a user changed in an interrupted checkout.
    pub(super) fn changed_since_interruption(
        &self,
        pending: Option<&Pending>,
        head: Option<&Commit>,
    ) -> Result<Vec<String>> {
        let commits = pending.into_iter().flat_map(|pending| &pending.commits).chain(head);
        let known = self.known(&commits.cloned().collect::<Vec<_>>())?;
        changed_by_others(&self.git.path, &known, &self.tool, self.host)
    }

    /// The commits whose files are all in the object store.
    fn known(&self, commits: &[Commit]) -> Result<Vec<Commit>> {
        let mut known = Vec::new();
        for commit in commits {
            if !known.contains(commit) && self.tool.has_files_of(commit.as_str(), self.host)? {
                known.push(commit.clone());
            }
        }
        Ok(known)
    }

    /// Makes git accept the repository again. Does not change any file of the checkout.
    pub(super) fn repair_repository(&self) -> Result<()> {
        let path = &self.git.path;
        if checkout::is_head_damaged(path, self.host)? {
            self.host.edits().remove_file(&path.join(".git/HEAD"))?;
        }
        if let Some(name) = checkout::reference(path, self.host)? {
            let branch = path.join(".git").join(name);
            let text = checkout::text(&branch, self.host)?;
            if text.is_some_and(|text| Commit::parse(text.trim_end()).is_none()) {
                self.host.edits().remove_file(&branch)?;
            }
        }
        let index = path.join(".git/index");
        if self.host.files().look(&index)?.is_some() && !checkout::has_index(path, self.host)? {
            self.host.edits().remove_file(&index)?;
        }
        for object in self.empty_objects()? {
            self.host.edits().remove_file(&object)?;
        }
        self.tool.run(&["init", "-q"], self.host).map(drop)
    }

    /// Empty object files, as a system crash leaves them. Git treats them as existing objects.
    fn empty_objects(&self) -> Result<Vec<PathBuf>> {
        let top = self.git.path.join(".git/objects");
        let list = |path: &PathBuf| match self.host.files().list(path) {
            Err(error) if error.kind() == ErrorKind::Missing => Ok(Vec::new()),
            other => other,
        };
        let mut empty = Vec::new();
        for directory in list(&top)?.into_iter().filter(|name| name.len() == 2) {
            let directory = top.join(directory);
            for object in list(&directory)? {
                let object = directory.join(object);
                let entry = self.host.files().look(&object)?;
                if entry.is_some_and(|entry| entry.kind == EntryKind::File && entry.size == 0) {
                    empty.push(object);
                }
            }
        }
        Ok(empty)
    }
}

// Distinguishes files that an interrupted git left from files that a user changed.

/// A separate index for the comparison, so that the checkout's own index does not change.
const INDEX: &str = ".git/uphold-index";

/// The comparison of a file with a commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    /// Equal or missing: no change would be lost.
    Unchanged,
    Differs,
}

/// Files that a user changed: they differ from all `commits` that contain them, and are not a partly written file
/// of git.
pub(crate) fn changed_by_others(
    path: &Path,
    commits: &[Commit],
    tool: &Tool<'_>,
    host: &Act<'_>,
) -> Result<Vec<String>> {
    let index = path.join(INDEX);
    let comparing = tool.with_index(&index);
    let compared: Result<Vec<_>> =
        commits.iter().map(|commit| compare(commit, &comparing, host).map(|files| (commit, files))).collect();
    if host.files().look(&index)?.is_some() {
        host.edits().remove_file(&index)?;
    }
    let compared = compared?;
    let mut names: Vec<&String> = compared.iter().flat_map(|(_, files)| files.keys()).collect();
    names.sort();
    names.dedup();
    let mut changed = Vec::new();
    for name in names {
        let mut differing = compared.iter().filter_map(|(commit, files)| Some((*commit, *files.get(name)?)));
        let all_differ = differing.clone().all(|(_, found)| found == Match::Differs);
        if all_differ && !differing.any(|(commit, _)| is_prefix(&path.join(name), commit, name, tool, host)) {
            changed.push(name.clone());
        }
    }
    Ok(changed)
}

/// The files of a commit, compared with those in the checkout.
fn compare(commit: &Commit, tool: &Tool<'_>, host: &Act<'_>) -> Result<BTreeMap<String, Match>> {
    tool.run(&["read-tree", commit.as_str()], host)?;
    // Fails if files differ, which the next command lists.
    tool.try_run(&["update-index", "-q", "--refresh"], host)?;
    let all = tool.look(&["ls-files", "-z"], host)?;
    let mut files: BTreeMap<_, _> =
        all.split_terminator('\0').map(|name| (name.to_owned(), Match::Unchanged)).collect();
    let args = ["diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules", "--diff-filter=d"];
    for name in tool.look(&args, host)?.split_terminator('\0') {
        files.insert(name.to_owned(), Match::Differs);
    }
    Ok(files)
}

/// Whether a file is a prefix of the commit's version.
fn is_prefix(file: &Path, commit: &Commit, name: &str, tool: &Tool<'_>, host: &Act<'_>) -> bool {
    let blob = format!("{commit}:{name}");
    let (Ok(found), Ok(whole)) =
        (host.files().read(file, 0), tool.look_at_bytes(&["cat-file", "--filters", &blob], host))
    else {
        return false;
    };
    whole.starts_with(&found)
}

// A marker in the checkout for a change in progress.
//
// Git writes files one by one. If it is killed, the files are a mix of two commits, and nothing in the repository
// shows it.

/// Its file name in `.git`.
pub(crate) const NAME: &str = "uphold-pending";

/// The maximum number of commits to remember after repeated interruptions.
const MOST: usize = 8;

/// A change that was interrupted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    /// The commits whose files may be in the checkout; the last one was being checked out.
    pub(crate) commits: Vec<Commit>,
    /// The start of the change.
    pub(crate) begun: SystemTime,
}

impl Pending {
    /// The interrupted change of the checkout at `path`, if any.
    pub(crate) fn read(path: &Path, host: &Reading<'_>) -> Result<Option<Self>> {
        let Some(entry) = host.files().look(&marker(path))? else { return Ok(None) };
        let text = checkout::text(&marker(path), host)?.unwrap_or_default();
        let commits = text.lines().filter_map(Commit::parse).collect();
        Ok(Some(Self { commits, begun: entry.modified }))
    }

    /// Marks the start of a change. `owner` is the user and group that git runs as.
    pub(crate) fn begin(
        path: &Path,
        commits: &[Commit],
        owner: Option<(u32, u32)>,
        host: &Act<'_>,
    ) -> Result<()> {
        let kept = &commits[commits.len().saturating_sub(MOST)..];
        let text: String = kept.iter().map(|commit| format!("{commit}\n")).collect();
        let (uid, gid) = owner.unzip();
        let access = Access { mode: Some(0o644), uid, gid };
        host.edits().write(&marker(path), &NewFile::new(text.as_bytes(), access))
    }

    /// Marks the end of the change.
    pub(crate) fn end(path: &Path, host: &Act<'_>) -> Result<()> {
        host.edits().remove_file(&marker(path))
    }
}

/// Whether a change of the checkout at `path` was interrupted.
pub(crate) fn is_pending(path: &Path, host: &Reading<'_>) -> Result<bool> {
    Ok(host.files().look(&marker(path))?.is_some())
}

fn marker(path: &Path) -> PathBuf {
    path.join(".git").join(NAME)
}
