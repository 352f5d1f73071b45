//! The kind `git`.

mod address;
mod checkout;
mod locks;
mod repair;
mod revision;
mod tool;
mod update;

use std::collections::BTreeMap;

use address::Address;
use repair::is_pending;
use revision::Target;
use tool::Tool;
use update::Update;
use uphold_kit::parent;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Found, Interest, Lazy, Look, Previous, Problem, Reading,
    Resource, Result, Seen, Step, UserName, Value, Want, Watching, Wish,
};

pub use revision::Commit;

/// A git checkout at a revision.
///
/// A branch is followed: at each check, also in a plan, the remote repository is asked for the branch's commit,
/// without fetching anything. With `sync = false` it is asked only once, and for a commit ID it is never asked.
/// `uphold watch` cannot notice changes of a remote branch: set the meta argument `poll` to check regularly.
///
/// Local changes are not lost: if another revision must be checked out and the checkout has local changes or
/// commits, that is an error. With `force`, changed files are restored, and local commits are discarded. Untracked
/// files are always kept.
///
/// Git runs as `user`, or as the owner of the checkout if that is not set. Because git runs programs that the
/// repository's configuration names, such as filters, the checkout must belong to that user, and only that user and
/// root may be able to write to it, its `.git` and its parent directories; otherwise git is not run, and that is an
/// error. Hooks are not run, and git never prompts for a password.
///
/// A user and a password in the URL (`https://USER:PASSWORD@HOST/PATH`) are passed to git in its environment: they
/// appear neither in the process list nor in the checkout's configuration.
///
/// An interrupted checkout, or one with missing objects, is not `intact`, and the next run repairs it: missing
/// objects are fetched again, and partly written files do not count as local changes. Lock files of a killed git
/// are removed if no git runs in the checkout, and if Uphold's own change was interrupted or the lock is older than
/// a minute.
///
/// Removing it removes the whole directory; with local changes or commits, only with `force`.
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
    /// Path of the checkout; defaults to the block's label. Its parent directory must exist.
    #[also("dest", "destination", "directory")]
    #[name]
    pub path: AbsolutePath,
    /// Remote repository: a URL, `USER@HOST:PATH`, or a path. Compared with the URL of the remote in the checkout.
    #[also("repo", "source", "url", "uri")]
    #[required]
    #[check(is_repository, "must be a URL or a path")]
    pub repository: Want<String>,
    /// Branch, tag or full commit ID. `HEAD` is the default branch of the repository. If a branch and a tag have
    /// the same name, write `refs/heads/NAME` or `refs/tags/NAME`.
    #[also("version", "branch", "tag", "ref", "checkout_branch")]
    #[default("HEAD")]
    #[check(is_revision, "must be a branch, a tag or a commit")]
    pub revision: String,
    /// Commit ID that is checked out; all zeros if there is none yet. Determined by `revision` if it is not set.
    pub commit: Want<Commit>,
    /// Name of the remote in the checkout.
    #[default("origin")]
    #[check(is_revision, "must be a valid name of a remote")]
    pub remote: String,
    /// Follow a branch, or a tag that moves.
    #[also("update")]
    #[default(true)]
    pub sync: bool,
    /// Number of commits to fetch, as in `git clone --depth`; the whole history if it is not set.
    #[range(1..=1_000_000)]
    pub depth: Option<u32>,
    /// Whether submodules are checked out, too, at the commits of the revision.
    #[also("enable_submodules", "recursive")]
    pub submodules: Want<bool>,
    /// Tracked files with local changes. With `force` this must be empty.
    #[load(Self::modified)]
    pub modified: Want<Vec<String>>,
    /// Whether all files of the commit are in the repository, and no change was interrupted. Always managed.
    #[check(is_true, "cannot be set to false")]
    pub intact: Want<bool>,
    /// Restore changed files, and discard local commits.
    #[default(false)]
    pub force: bool,
    /// User that git runs as, and that owns the files.
    #[also("owner")]
    pub user: Option<UserName>,
    /// Private key for ssh. If it is not set, ssh uses the keys of `user`.
    #[also("key_file", "identity", "deploy_key")]
    pub ssh_key: Option<AbsolutePath>,
    /// Environment variables for git. Secrets are passed on, but never shown.
    #[also("environment")]
    #[default(BTreeMap::new())]
    pub env: BTreeMap<String, String>,
    /// Branch that is checked out; null for a tag or a commit.
    pub branch: Seen<Option<String>>,
}

/// An address that git could read as an option, or that makes git run a program, is refused.
fn is_repository(value: &Value) -> bool {
    let fine = |text: &str| {
        !text.is_empty() && !text.starts_with('-') && !text.contains("::") && !text.contains(['\n', '\0'])
    };
    matches!(value, Value::Text(text) if fine(text))
}

fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

/// An approximation of git's rules for names; git itself checks them again.
fn is_revision(value: &Value) -> bool {
    let fine = |text: &str| {
        let forbidden = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
        !text.is_empty() && !text.starts_with('-') && !text.contains("..") && !text.contains(forbidden)
    };
    matches!(value, Value::Text(text) if fine(text))
}

impl Resource for Git {
    fn validate(&self) -> Result<(), Problem> {
        let address = Address::parse(self.repository.get().map_or("", String::as_str));
        address.map(drop).map_err(|error| Problem::from(error).inside("repository"))
    }

    /// Resolves the revision to a commit.
    fn prepare(&self, look: &Look<'_>) -> Result<GitWishes> {
        // If something else is at the path, `load` reports it.
        let exists = !matches!(checkout::is_begun(&self.path, look), Ok(false));
        let commit = match Commit::parse(&self.revision) {
            _ if self.commit.is_set() => Wish::Declared,
            Some(commit) => Wish::Set(commit.found()),
            None if !self.sync && exists => Wish::Unset,
            None => Wish::Set(self.target(&Tool::new(self, look)?, look)?.commit.found()),
        };
        Ok(GitWishes {
            commit,
            modified: if self.force { Wish::Set(Vec::new()) } else { Wish::Declared },
            // A new checkout has no such state yet.
            intact: if exists { Wish::Set(true) } else { Wish::Unset },
            ..GitWishes::default()
        })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        if !checkout::is_begun(&self.path, look)? {
            return Ok(Found::Absent);
        }
        let tool = Tool::new(self, look)?;
        let head = checkout::head(&self.path, look)?;
        let intact = match &head {
            Some(head) => self.is_intact(&head.commit, &tool, look)?,
            None => false,
        };
        let wanted = self.repository.get().map_or("", String::as_str);
        let stored = checkout::remote(&self.path, &self.remote, look)?.unwrap_or_default();
        let (commit, branch) = head.map_or((Commit::none(), None), |head| (head.commit, head.branch));
        Ok(Found::This(GitState {
            repository: Address::seen(&stored, wanted),
            commit,
            submodules: intact && self.has_submodules(&tool, look)?,
            modified: Lazy::UNREAD,
            intact,
            branch,
        }))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path, look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let update = Update { git: self, tool: Tool::new(self, host)?, host };
        match step {
            Step::Create { goal } => update.create(goal),
            Step::Update { goal, change, .. } => update.update(goal, change),
            Step::Remove { .. } => update.remove(),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { change, .. } if change.modified.is_some() || change.intact.is_some() => {
                Previous::none("the local changes that it discarded are not kept")
            }
            Step::Remove { .. } => Previous::none("the removed checkout is not kept"),
            _ => Previous::without(&["modified", "intact", "force"]),
        }
    }
}

/// It depends on the package `git`, if that is declared.
impl Claiming for Git {
    fn add_claims(&self, claims: &mut Claims) {
        claims.need(Claim::Package("git".into()));
    }
}

/// The current commit is in a few files; changed files can be anywhere.
impl Watching for Git {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        if self.force {
            interests.push(Interest::Tree(self.path.to_path_buf()));
            return;
        }
        let git = self.path.join(".git");
        interests.extend(
            ["", "HEAD", "config", "packed-refs", repair::NAME].map(|name| Interest::Path(git.join(name))),
        );
        if let Ok(Some(name)) = checkout::reference(&self.path, host) {
            interests.push(Interest::Path(git.join(name)));
        }
    }
}

impl Git {
    /// The commit that the user named, if any.
    fn chosen(&self) -> Option<Commit> {
        let commit = self.commit.get().filter(|commit| commit.is_chosen()).cloned();
        commit.or_else(|| Commit::parse(&self.revision))
    }

    /// The commit to check out: the declared one, or the current commit of `revision` in the remote repository.
    pub(crate) fn target(&self, tool: &Tool<'_>, host: &Reading<'_>) -> Result<Target> {
        if let Some(commit) = self.chosen() {
            return Ok(Target { commit, name: None });
        }
        let patterns = Target::patterns(&self.revision);
        let mut args = vec!["ls-remote", "--symref", "--", tool.url()];
        args.extend(patterns.iter().map(String::as_str));
        let listing = tool
            .ask(&args, host)
            .map_err(|error| error.while_(format!("cannot resolve the revision `{}`", self.revision)))?;
        Target::find(&self.revision, &listing, tool.url())
    }

    /// Whether the commit is complete and no checkout was interrupted. Files are compared through the index.
    fn is_intact(&self, commit: &Commit, tool: &Tool<'_>, host: &Reading<'_>) -> Result<bool> {
        let can_compare = !self.force || checkout::has_index(&self.path, host)?;
        Ok(can_compare && !is_pending(&self.path, host)? && tool.has_files_of(commit.as_str(), host)?)
    }

    /// Tracked files with local changes; none if the checkout is not intact.
    fn modified(&self, state: &GitState, look: &Look<'_>) -> Result<Vec<String>> {
        if state.intact { modified(&Tool::new(self, look)?, look) } else { Ok(Vec::new()) }
    }

    /// Whether all submodules are at their commits. False without a check if they are not declared.
    fn has_submodules(&self, tool: &Tool<'_>, host: &Reading<'_>) -> Result<bool> {
        if self.submodules.get() != Some(&true) {
            return Ok(false);
        }
        let listing = tool.look(&["submodule", "status", "--recursive"], host)?;
        Ok(listing.lines().all(|line| line.starts_with(' ')))
    }
}

/// Tracked files that differ from the commit.
fn modified(tool: &Tool<'_>, host: &Reading<'_>) -> Result<Vec<String>> {
    let args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=no"];
    let listing = tool.look(&args, host)?;
    Ok(listing.split('\0').filter_map(|line| line.get(3..)).map(str::to_owned).collect())
}
