//! Repairing a checkout that was interrupted or damaged.

use std::path::PathBuf;

use uphold_resource::{EntryKind, ErrorKind, Result};

use super::checkout;
use super::commit::Commit;
use super::leftovers;
use super::pending::Pending;
use super::revision::Target;
use super::tool::incomplete;
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
        let changed = leftovers::changed_by_others(&self.git.path, known, &self.tool, self.host)?;
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
        leftovers::changed_by_others(&self.git.path, &known, &self.tool, self.host)
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
