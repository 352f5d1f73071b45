//! A checkout of a git repository.

use std::collections::BTreeMap;

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Interest, Reading, Resource, Result, Seen, Step, UserName,
    Value, Want, Watching,
};

use super::address::Address;
use super::checkout;
use super::commit::Commit;
use super::pending::{self, is_pending};
use super::revision::Target;
use super::tool::Tool;
use super::update::Update;
use crate::parent;

/// A checkout of a git repository at a revision.
///
/// A branch is followed: the repository is asked at every visit, in a plan, too, which commit it is at. Nothing is
/// fetched for that. With `sync = false` it is asked only once, and a commit is never asked for at all. In `uphold watch`,
/// nobody tells that a branch has moved: the meta argument `poll` says how often the repository is asked.
///
/// What somebody changed in the checkout is not lost: if another revision has to be checked out and there are changes or
/// commits of its own, that is an error. With `force`, files that git knows are put back whenever they were changed, and own
/// commits are given up. Files that git does not know are always kept.
///
/// Git runs as `user`, or else as the owner of the checkout. Git runs filters and other programs that the repository's
/// configuration names. So the checkout must belong to that user, and nobody else but root may be able to write it, its `.git` or a
/// directory above it; otherwise git is not run, and that is an error. Hooks are not run. Nobody is asked for a password.
///
/// A user and a password in the URL (`https://USER:PASSWORD@HOST/PATH`) are passed to git in its environment: no other user sees
/// them in a list of processes, and the checkout's configuration does not hold them.
///
/// A checkout that was interrupted, and one with missing objects, is not `intact`, and the next run repairs it. What
/// is missing is fetched again. Files that git left half written are no changes of somebody. Lock files that a killed git left
/// behind are removed if no git runs in the checkout, and if Uphold's own change was interrupted or the lock is older than a minute.
///
/// Removing it removes the whole directory; if there are changes or commits of its own, only with `force`.
///
/// ```hcl
/// git "/srv/app" {
///   repository = "https://example.org/app.git"
///   revision   = "v1.2"
///   user       = "www-data"
/// }
/// ```
///
/// ```hcl
/// git "/opt/tools" {
///   repository = "git@example.org:tools.git"
///   revision   = "main"
///   ssh_key    = "/etc/tools/deploy_key"
///   depth      = 1
///   force      = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "git", also("vcsrepo", "checkout", "git_repository", "subversion"), claims, interests)]
pub struct Git {
    /// Where it is; the block's label unless set. Its parent directory must exist.
    #[also("dest", "destination", "directory")]
    #[name]
    pub path: AbsolutePath,
    /// Where it comes from: a URL, `USER@HOST:PATH`, or a path. Compared with what the checkout says of its remote.
    #[also("repo", "source", "url", "uri")]
    #[required]
    #[check(is_repository, "must be a URL or a path")]
    pub repository: Want<String>,
    /// A branch, a tag, or all digits of a commit. `HEAD` is the branch that the repository is usually at. If a
    /// branch and a tag have one name, write `refs/heads/NAME` or `refs/tags/NAME`.
    #[also("version", "branch", "tag", "ref", "checkout_branch")]
    #[default("HEAD")]
    #[check(is_revision, "must be a branch, a tag or a commit")]
    pub revision: String,
    /// The commit that is checked out; only zeros if none is yet. What it has to be follows from `revision`, unless it is set.
    pub commit: Want<Commit>,
    /// What the remote is called in the checkout.
    #[default("origin")]
    #[check(is_revision, "must be a name")]
    pub remote: String,
    /// Whether a branch, or a tag that moves, is followed.
    #[also("update")]
    #[default(true)]
    pub sync: bool,
    /// How many commits of the past are fetched; all unless set.
    #[range(1..=1_000_000)]
    pub depth: Option<u32>,
    /// Whether submodules are checked out, too, at the commits that the revision asks for.
    #[also("enable_submodules", "recursive")]
    pub submodules: Want<bool>,
    /// Files that git knows and that somebody changed. With `force` there must be none.
    pub modified: Want<Vec<String>>,
    /// Whether all files of the commit are in the repository, and no change of the checkout was interrupted. Always required.
    #[check(is_true, "cannot be switched off")]
    pub intact: Want<bool>,
    /// Put changed files back, and give up own commits.
    #[default(false)]
    pub force: bool,
    /// The user that git runs as, and who owns what it makes.
    #[also("owner")]
    pub user: Option<UserName>,
    /// The private key that ssh shows; those of `user` unless set.
    #[also("key_file", "identity", "deploy_key")]
    pub ssh_key: Option<AbsolutePath>,
    /// Variables to add to the environment of git. A secret is passed on, and shown nowhere.
    #[also("environment")]
    #[default(BTreeMap::new())]
    pub env: BTreeMap<String, String>,
    /// The branch that is checked out; null if it is a tag or a commit.
    pub branch: Seen<Option<String>>,
}

/// What could be taken for an option, or make git run something, is no address.
fn is_repository(value: &Value) -> bool {
    let fine = |text: &str| {
        !text.is_empty() && !text.starts_with('-') && !text.contains("::") && !text.contains(['\n', '\0'])
    };
    matches!(value, Value::Text(text) if fine(text))
}

fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

/// Names as git allows them, roughly: git itself has the last word.
fn is_revision(value: &Value) -> bool {
    let fine = |text: &str| {
        let forbidden = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
        !text.is_empty() && !text.starts_with('-') && !text.contains("..") && !text.contains(forbidden)
    };
    matches!(value, Value::Text(text) if fine(text))
}

impl Resource for Git {
    /// Finds out which commit it has to be.
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        self.intact = Want::Set(true);
        if self.force {
            self.modified = Want::Set(Vec::new());
        }
        if self.commit.get().is_some_and(Commit::is_chosen) {
            return Ok(());
        }
        // What is in the way is told by the look.
        let is_there = !matches!(checkout::is_begun(&self.path, host), Ok(false));
        self.commit = match Commit::parse(&self.revision) {
            Some(commit) => Want::Set(commit.found()),
            None if !self.sync && is_there => Want::Unset,
            None => Want::Set(self.target(&Tool::new(self, host)?, host)?.commit.found()),
        };
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<GitState>> {
        if !checkout::is_begun(&self.path, host)? {
            return Ok(None);
        }
        let tool = Tool::new(self, host)?;
        let head = checkout::head(&self.path, host)?;
        let intact = match &head {
            Some(head) => self.is_intact(&head.commit, &tool, host)?,
            None => false,
        };
        let wanted = self.repository.get().map_or("", String::as_str);
        let stored = checkout::remote(&self.path, &self.remote, host)?.unwrap_or_default();
        let needs_modified = intact && host.needs("modified");
        let (commit, branch) = head.map_or((Commit::none(), None), |head| (head.commit, head.branch));
        Ok(Some(GitState {
            repository: Address::seen(&stored, wanted),
            commit,
            submodules: intact && self.has_submodules(&tool, host)?,
            modified: if needs_modified { modified(&tool, host)? } else { Vec::new() },
            intact,
            branch,
        }))
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(&self.path, host)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let update = Update { git: self, tool: Tool::new(self, host)?, host };
        match step {
            Step::Create { goal } => update.create(goal),
            Step::Update { goal, change, .. } => update.update(goal, change),
            Step::Remove { .. } => update.remove(),
        }
    }
}

/// It stands on git, if a resource installs that.
impl Claiming for Git {
    fn add_claims(&self, claims: &mut Claims) {
        claims.need(Claim::Package("git".into()));
    }
}

/// What is checked out is in a few files; what was changed can be anywhere.
impl Watching for Git {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        if self.force {
            interests.push(Interest::Tree(self.path.to_path_buf()));
            return;
        }
        let git = self.path.join(".git");
        interests.extend(
            ["", "HEAD", "config", "packed-refs", pending::NAME].map(|name| Interest::Path(git.join(name))),
        );
        if let Ok(Some(name)) = checkout::reference(&self.path, host) {
            interests.push(Interest::Path(git.join(name)));
        }
    }
}

impl Git {
    /// The very commit that the user asked for, if that is so.
    fn chosen(&self) -> Option<Commit> {
        let commit = self.commit.get().filter(|commit| commit.is_chosen()).cloned();
        commit.or_else(|| Commit::parse(&self.revision))
    }

    /// What has to be checked out: if nobody chose a commit, what `revision` means in the repository now.
    pub(crate) fn target(&self, tool: &Tool<'_>, host: &Reading<'_>) -> Result<Target> {
        if let Some(commit) = self.chosen() {
            return Ok(Target { commit, name: None });
        }
        let patterns = Target::patterns(&self.revision);
        let mut args = vec!["ls-remote", "--symref", "--", tool.url()];
        args.extend(patterns.iter().map(String::as_str));
        let listing = tool
            .ask(&args, host)
            .map_err(|error| error.while_(format!("cannot find out what `{}` is", self.revision)))?;
        Target::find(&self.revision, &listing, tool.url())
    }

    /// Whether git has all files of the commit, and the checkout of none was interrupted. Files are compared by the index.
    fn is_intact(&self, commit: &Commit, tool: &Tool<'_>, host: &Reading<'_>) -> Result<bool> {
        let can_compare = !self.force || checkout::has_index(&self.path, host)?;
        Ok(can_compare && !is_pending(&self.path, host)? && tool.has_files_of(commit.as_str(), host)?)
    }

    /// Whether all submodules are at their commits. Nobody asks where they are not wanted.
    fn has_submodules(&self, tool: &Tool<'_>, host: &Reading<'_>) -> Result<bool> {
        if self.submodules.get() != Some(&true) {
            return Ok(false);
        }
        let listing = tool.look(&["submodule", "status", "--recursive"], host)?;
        Ok(listing.lines().all(|line| line.starts_with(' ')))
    }
}

/// Files that git knows and that are not as in the commit.
pub(super) fn modified(tool: &Tool<'_>, host: &Reading<'_>) -> Result<Vec<String>> {
    let args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=no"];
    let listing = tool.look(&args, host)?;
    Ok(listing.split('\0').filter_map(|line| line.get(3..)).map(str::to_owned).collect())
}
