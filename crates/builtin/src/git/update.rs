//! Changing a checkout.

use uphold_resource::{Access, Error, ErrorKind, Host, Result};

use super::checkout;
use super::commit::Commit;
use super::resource::{Git, GitChange, GitGoal, modified};
use super::revision::Target;
use super::tool::Tool;

/// As many files are named in a message.
const NAMED: usize = 5;

/// A checkout that is being changed.
pub(crate) struct Update<'a> {
    pub(crate) git: &'a Git,
    pub(crate) tool: Tool<'a>,
    pub(crate) host: &'a dyn Host,
}

impl Update<'_> {
    /// Makes it, or goes on where somebody was interrupted.
    pub(crate) fn create(&self, goal: &GitGoal) -> Result<()> {
        if self.host.files().look(&self.git.path)?.is_none() {
            let (uid, gid) = self.tool.owner().unzip();
            let access = Access { mode: Some(0o755), uid, gid };
            self.host.edits().make_directory(&self.git.path, &access)?;
        }
        self.tool.run(&["init", "-q"], self.host)?;
        self.set_remote(&goal.repository)?;
        self.check_out(goal.commit.as_ref())?;
        self.update_submodules()
    }

    pub(crate) fn update(&self, goal: &GitGoal, change: &GitChange) -> Result<()> {
        if (change.commit.is_some() || change.modified.is_some()) && !self.git.force {
            self.refuse_loss("another revision cannot be checked out at")?;
        }
        if change.repository.is_some() {
            self.set_remote(&goal.repository)?;
        }
        if change.commit.is_some() {
            self.check_out(goal.commit.as_ref())?;
        } else if change.modified.is_some() {
            self.tool.run(&["reset", "-q", "--hard", "HEAD"], self.host)?;
        }
        match change.commit.is_some() || change.submodules.is_some() {
            true => self.update_submodules(),
            false => Ok(()),
        }
    }

    pub(crate) fn remove(&self) -> Result<()> {
        if !self.git.force {
            self.refuse_loss("nothing is removed at")?;
        }
        self.host.edits().remove_tree(&self.git.path)
    }

    fn set_remote(&self, repository: &str) -> Result<()> {
        let remote = &self.git.remote;
        let key = |name: &str| format!("remote.{remote}.{name}");
        self.tool.run(&["config", &key("url"), repository], self.host)?;
        let branches = format!("+refs/heads/*:refs/remotes/{remote}/*");
        self.tool.run(&["config", &key("fetch"), &branches], self.host).map(drop)
    }

    /// Fetches what is missing, and checks it out. `commit` is what `revision` meant before.
    fn check_out(&self, commit: Option<&Commit>) -> Result<()> {
        let found = self.git.target(&self.tool, self.host)?;
        let target = Target { commit: commit.unwrap_or(&found.commit).clone(), ..found };
        if !self.has(&target.commit)? {
            self.fetch(&target)?;
        }
        let force = if self.git.force { "--force" } else { "--quiet" };
        let commit = target.commit.as_str();
        match target.branch() {
            Some(branch) => self.tool.run(&["checkout", "-q", force, "-B", branch, commit], self.host)?,
            None => self.tool.run(&["checkout", "-q", force, "--detach", commit], self.host)?,
        };
        Ok(())
    }

    fn has(&self, commit: &Commit) -> Result<bool> {
        self.tool.try_run(&["cat-file", "-e", &format!("{commit}^{{commit}}")], self.host)
    }

    /// Everything, or with `depth` as little as possible. Not every server gives out a commit by its id.
    fn fetch(&self, target: &Target) -> Result<()> {
        let depth = self.git.depth.map(|depth| format!("--depth={depth}"));
        let remote = self.git.remote.as_str();
        if let Some(depth) = &depth {
            let wanted = match (&target.name, target.branch()) {
                (_, Some(branch)) => format!("+refs/heads/{branch}:refs/remotes/{remote}/{branch}"),
                (Some(name), None) => format!("+{name}:{name}"),
                (None, None) => target.commit.to_string(),
            };
            let args = ["fetch", "-q", depth, "--no-tags", remote, &wanted];
            if self.tool.try_run(&args, self.host)? && self.has(&target.commit)? {
                return Ok(());
            }
        }
        self.tool.run(&["fetch", "-q", "--force", "--tags", remote], self.host)?;
        if self.has(&target.commit)? {
            return Ok(());
        }
        // A commit that no branch leads to any more.
        self.tool.run(&["fetch", "-q", remote, target.commit.as_str()], self.host).map(drop)
    }

    fn update_submodules(&self) -> Result<()> {
        if self.git.submodules.get() != Some(&true) {
            return Ok(());
        }
        let mut args = vec!["submodule", "update", "-q", "--init", "--recursive"];
        args.extend(self.git.force.then_some("--force"));
        self.tool.run(&args, self.host).map(drop)
    }

    /// What somebody made here and nobody else has is not thrown away.
    fn refuse_loss(&self, what: &str) -> Result<()> {
        let changed = modified(&self.tool, self.host)?;
        let path = &self.git.path;
        let refuse = |why: String| {
            let hint = "keep it elsewhere, or set `force = true` to give it up";
            Err(Error::new(ErrorKind::Rejected, format!("{what} {path}: {why}")).hint(hint))
        };
        if !changed.is_empty() {
            let more = if changed.len() > NAMED { " and more" } else { "" };
            return refuse(format!(
                "somebody changed {}{more}",
                changed[..changed.len().min(NAMED)].join(", ")
            ));
        }
        let head = checkout::head(path, self.host)?;
        let args = ["rev-list", "--max-count=1", "HEAD", "--not", "--remotes", "--tags"];
        match head.is_some() && self.is_on_branch()? && !self.tool.look(&args, self.host)?.trim().is_empty() {
            true => refuse("it has commits of its own".to_owned()),
            false => Ok(()),
        }
    }

    /// What was checked out as a commit came from elsewhere, whether or not a branch leads to it.
    fn is_on_branch(&self) -> Result<bool> {
        Ok(checkout::head(&self.git.path, self.host)?.is_some_and(|head| head.branch.is_some()))
    }
}
