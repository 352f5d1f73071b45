//! Changing a checkout.

use uphold_resource::{Access, Act, Error, ErrorKind, Result};

use super::checkout;
use super::locks;
use super::repair::Pending;
use super::revision::Commit;
use super::revision::Target;
use super::tool::{Tool, incomplete};
use super::{Git, GitChange, GitGoal, modified};

/// The maximum number of files named in a message.
const NAMED: usize = 5;

/// A change of a checkout.
pub(crate) struct Update<'a> {
    pub(crate) git: &'a Git,
    pub(crate) tool: Tool<'a>,
    pub(crate) host: &'a Act<'a>,
}

impl Update<'_> {
    /// Creates a new checkout.
    pub(crate) fn create(&self, goal: &GitGoal) -> Result<()> {
        let target = self.target(goal)?;
        let (uid, gid) = self.tool.owner().unzip();
        let access = Access { mode: Some(0o755), uid, gid };
        if self.host.files().look(&self.git.path)?.is_none() {
            self.host.edits().make_directory(&self.git.path, &access)?;
        }
        self.host.edits().make_directory(&self.git.path.join(".git"), &access)?;
        self.begin(std::slice::from_ref(&target.commit))?;
        self.tool.run(&["init", "-q"], self.host)?;
        self.set_remote()?;
        self.fetch_missing(&target, None, false)?;
        self.check_out(&target, self.git.force)?;
        self.update_submodules(false)?;
        Pending::end(&self.git.path, self.host)
    }

    pub(crate) fn update(&self, goal: &GitGoal, change: &GitChange) -> Result<()> {
        let path = &self.git.path;
        let pending = Pending::read(path, self.host)?;
        locks::clear(self.tool.place(), pending.as_ref().map(|pending| pending.begun), self.host)?;
        if change.intact.is_some() || !checkout::has_index(path, self.host)? {
            self.repair_repository()?;
            if change.repository.is_some() {
                self.set_remote()?;
            }
            let target = self.target_of_repair(goal, pending.as_ref())?;
            self.repair(pending.as_ref(), &target)?;
            self.update_submodules(true)?;
            return Pending::end(path, self.host);
        }
        if (change.commit.is_some() || change.modified.is_some()) && !self.git.force {
            self.refuse_loss("cannot check out another revision in")?;
        }
        let head = checkout::head(path, self.host)?.map(|head| head.commit);
        let target = change.commit.as_ref().map(|_| self.target(goal)).transpose()?;
        let commits = head.into_iter().chain(target.as_ref().map(|target| target.commit.clone()));
        self.begin(&commits.collect::<Vec<_>>())?;
        if change.repository.is_some() {
            self.set_remote()?;
        }
        if let Some(target) = &target {
            self.fetch_missing(target, None, false)?;
            self.check_out(target, self.git.force)?;
        } else if change.modified.is_some() {
            self.tool.run(&["reset", "-q", "--hard", "HEAD"], self.host)?;
        }
        if target.is_some() || change.submodules.is_some() {
            self.update_submodules(false)?;
        }
        Pending::end(path, self.host)
    }

    pub(crate) fn remove(&self) -> Result<()> {
        if !self.git.force {
            self.refuse_loss("cannot remove")?;
        }
        self.host.edits().remove_tree(&self.git.path)
    }

    /// Marks that files of these commits may be in the checkout until the change has ended.
    pub(super) fn begin(&self, commits: &[Commit]) -> Result<()> {
        Pending::begin(&self.git.path, commits, self.tool.owner(), self.host)
    }

    /// Sets the URL last, because that is the part that is compared.
    fn set_remote(&self) -> Result<()> {
        let remote = &self.git.remote;
        let key = |name: &str| format!("remote.{remote}.{name}");
        self.tool.run(&["config", &key("fetch"), &self.branches()], self.host)?;
        self.tool.run(&["config", &key("url"), self.tool.url()], self.host).map(drop)
    }

    /// The refspec of all branches.
    fn branches(&self) -> String {
        format!("+refs/heads/*:refs/remotes/{}/*", self.git.remote)
    }

    /// The commit to check out. The goal has the commit that `revision` had at the check.
    fn target(&self, goal: &GitGoal) -> Result<Target> {
        let found = self.git.target(&self.tool, self.host)?;
        let commit = goal.commit.clone().unwrap_or_else(|| found.commit.clone());
        Ok(Target { commit, ..found })
    }

    /// The same for a damaged checkout, which stays at its commit with `sync = false`.
    fn target_of_repair(&self, goal: &GitGoal, pending: Option<&Pending>) -> Result<Target> {
        match checkout::head(&self.git.path, self.host)? {
            Some(head) if goal.commit.is_none() && pending.is_none() => {
                let name = head.branch.map(|branch| format!("{}{branch}", checkout::BRANCHES));
                Ok(Target { commit: head.commit, name })
            }
            _ => self.target(goal),
        }
    }

    /// Checks out a commit whose files are all available.
    pub(super) fn check_out(&self, target: &Target, force: bool) -> Result<()> {
        let force = if force { "--force" } else { "--quiet" };
        let commit = target.commit.as_str();
        let output = match target.branch() {
            Some(branch) => self.tool.run(&["checkout", "-q", force, "-B", branch, commit], self.host)?,
            None => self.tool.run(&["checkout", "-q", force, "--detach", commit], self.host)?,
        };
        // Git reports a file that it could not write, but exits with status 0.
        if output.stderr.windows(7).any(|words| words == b"error: ") {
            Err(incomplete(self.git, String::from_utf8_lossy(&output.stderr).trim_end()))
        } else {
            Ok(())
        }
    }

    /// Fetches the target unless its history and files are complete, and the files of `head`.
    pub(super) fn fetch_missing(
        &self,
        target: &Target,
        head: Option<&Commit>,
        is_damaged: bool,
    ) -> Result<()> {
        let id = target.commit.as_str();
        // In a damaged repository, a reference does not prove that the history of its commit is complete.
        let past: &[&str] = if is_damaged {
            &["rev-list", "--quiet", "--objects", id]
        } else {
            &["rev-list", "--quiet", "--objects", id, "--not", "--all"]
        };
        let is_whole = || -> Result<bool> {
            let head = head.map_or(Ok(true), |head| self.tool.has_files_of(head.as_str(), self.host));
            Ok(self.tool.has_files_of(id, self.host)? && head? && self.tool.succeeds(past, self.host)?)
        };
        if is_whole()? {
            return Ok(());
        }
        let fetched = self.fetch(target, &[]);
        if fetched.is_ok() && is_whole()? {
            return Ok(());
        }
        // A fetch can also fail because references lead to missing objects.
        if !is_damaged {
            fetched?;
        }
        // Git assumes that it has all objects that its references lead to.
        self.fetch(target, &["--refetch"])?;
        if self.tool.has_files_of(id, self.host)? {
            Ok(())
        } else {
            Err(incomplete(self.git, format!("{} does not provide all objects of {id}", self.tool.url()))
                .hint("move the checkout elsewhere; the next run creates a new one"))
        }
    }

    /// Fetches all branches, or with `depth` as little as possible. Some servers do not serve a commit by its ID.
    fn fetch(&self, target: &Target, more: &[&str]) -> Result<()> {
        let depth = self.git.depth.map(|depth| format!("--depth={depth}"));
        let remote = self.git.remote.as_str();
        let has_files = || self.tool.has_files_of(target.commit.as_str(), self.host);
        if let Some(depth) = &depth {
            let wanted = match (&target.name, target.branch()) {
                (_, Some(branch)) => format!("+refs/heads/{branch}:refs/remotes/{remote}/{branch}"),
                (Some(name), None) => format!("+{name}:{name}"),
                (None, None) => target.commit.to_string(),
            };
            let args = [&["fetch", "-q"], more, &[depth, "--no-tags", remote, &wanted]].concat();
            if self.tool.try_run(&args, self.host)? && has_files()? {
                return Ok(());
            }
        }
        let branches = self.branches();
        let args = [&["fetch", "-q", "--force", "--tags"], more, &[remote, &branches]].concat();
        self.tool.run(&args, self.host)?;
        if has_files()? {
            return Ok(());
        }
        // A commit that is on no branch any more.
        let args = [&["fetch", "-q"], more, &[remote, target.commit.as_str()]].concat();
        self.tool.try_run(&args, self.host).map(drop)
    }

    /// Updates submodules. `again` if files may be missing in submodules that are at the right commit.
    fn update_submodules(&self, again: bool) -> Result<()> {
        if self.git.submodules.get() != Some(&true) {
            return Ok(());
        }
        let mut args = vec!["submodule", "update", "-q", "--init", "--recursive"];
        if again && !self.git.force {
            self.tool.run(&args, self.host)?;
            let script =
                "git update-index -q --refresh; git diff-index --name-only --diff-filter=d HEAD || :";
            let changed =
                self.tool.look(&["submodule", "foreach", "--quiet", "--recursive", script], self.host)?;
            let changed: Vec<String> = changed.lines().map(str::to_owned).collect();
            if !changed.is_empty() {
                let why =
                    format!("it was interrupted, and has local changes in a submodule: {}", named(&changed));
                return Err(incomplete(self.git, why).hint("move these files elsewhere"));
            }
        }
        args.extend((again || self.git.force).then_some("--force"));
        self.tool.run(&args, self.host).map(drop)
    }

    /// Fails if local changes or commits would be lost.
    fn refuse_loss(&self, what: &str) -> Result<()> {
        let path = &self.git.path;
        let head = checkout::head(path, self.host)?;
        let pending = Pending::read(path, self.host)?;
        let changed = match (&head, &pending) {
            (Some(_), None) => modified(&self.tool, self.host)?,
            _ => self.changed_since_interruption(pending.as_ref(), head.as_ref().map(|head| &head.commit))?,
        };
        let refuse = |why: String| {
            let hint = "commit and push the changes, or move the checkout elsewhere; `force = true` would discard them";
            Err(Error::new(ErrorKind::Rejected, format!("{what} {path}: {why}")).hint(hint))
        };
        if !changed.is_empty() {
            return refuse(format!("it has local changes in {}", named(&changed)));
        }
        if head.is_some_and(|head| head.branch.is_some()) && self.has_own_commits()? {
            refuse("it has local commits".to_owned())
        } else {
            Ok(())
        }
    }

    /// Whether the branch has local commits. A commit that was checked out by its ID is not local, even if no
    /// branch leads to it.
    pub(super) fn has_own_commits(&self) -> Result<bool> {
        let args = ["rev-list", "--max-count=1", "HEAD", "--not", "--remotes", "--tags"];
        Ok(!self.tool.look(&args, self.host)?.trim().is_empty())
    }
}

/// The first names of a list.
pub(super) fn named(files: &[String]) -> String {
    let more = if files.len() > NAMED { " and more" } else { "" };
    format!("{}{more}", files[..files.len().min(NAMED)].join(", "))
}
