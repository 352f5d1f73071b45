//! Running git.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use uphold_kit::tool::refusal;
use uphold_resource::{
    Act, Command, Entry, Error, ErrorKind, Output, Reading, Result, Writers, trusted_path, untrusted_words,
};

use super::Git;
use super::address::{Address, Login};

/// Options that disable hooks, monitors and prompts.
const QUIET: [&str; 8] = [
    "--no-optional-locks",
    "--no-pager",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "advice.detachedHead=false",
];

/// Variables of the credential helper. Only root and the same user can read the environment of a process.
const USER: &str = "UPHOLD_GIT_USER";
const PASSWORD: &str = "UPHOLD_GIT_PASSWORD";

/// A credential helper that reads the environment.
const HELPER: &str = "!f() { test \"$1\" = get && printf 'username=%s\\npassword=%s\\n' \"$UPHOLD_GIT_USER\" \
                      \"$UPHOLD_GIT_PASSWORD\"; }; f";

/// Git with the settings of one resource.
pub(crate) struct Tool<'a> {
    git: &'a Git,
    address: Address,
    env: BTreeMap<String, String>,
    identity: Identity,
}

impl<'a> Tool<'a> {
    /// # Errors
    /// If another user could decide what git runs in the checkout.
    pub(crate) fn new(git: &'a Git, host: &Reading<'_>) -> Result<Self> {
        let identity = Identity::of(git, host)?;
        let address = Address::parse(git.repository.get().map_or("", String::as_str))?;
        let mut env: BTreeMap<String, String> = BTreeMap::new();
        let mut set = |name: &str, value: String| env.insert(name.to_owned(), value);
        set("GIT_TERMINAL_PROMPT", "0".to_owned());
        set("GIT_ASKPASS", "/bin/true".to_owned());
        set("LC_ALL", "C".to_owned());
        set("GIT_SSH_COMMAND", ssh(git));
        // A damaged checkout inside another one must not be mistaken for the outer one.
        set("GIT_CEILING_DIRECTORIES", git.path.parent().unwrap_or(&git.path).display().to_string());
        // As root, git would also trust the repositories of the user who called sudo.
        set("SUDO_UID", String::new());
        if let Some(Login { user, password, .. }) = &address.login {
            set(USER, user.clone());
            set(PASSWORD, password.clone());
        }
        if host.accounts().current_uid() == 0
            && let Some(user) = host.accounts().user_by_id(identity.uid())?
        {
            set("HOME", user.home.display().to_string());
            // Empty counts as unset.
            set("XDG_CONFIG_HOME", String::new());
        }
        env.extend(git.env.clone());
        Ok(Self { git, address, env, identity })
    }

    /// Owner and group of new directories; none if they are those of Uphold.
    pub(crate) fn owner(&self) -> Option<(u32, u32)> {
        self.identity.run_as()
    }

    /// The path of the checkout, with links resolved.
    pub(crate) fn place(&self) -> &Path {
        self.identity.place()
    }

    /// The address of the repository, without credentials.
    pub(crate) fn url(&self) -> &str {
        &self.address.url
    }

    /// A git command, run in the checkout if `inside` is true.
    fn command(&self, inside: bool, args: &[&str]) -> Command {
        let path = self.git.path.display().to_string();
        let place = if inside { vec!["-C".to_owned(), path] } else { Vec::new() };
        let helper = self.address.login.iter().flat_map(|login| {
            // The empty entry disables the user's other credential helpers.
            let key = format!("credential.{}.helper", login.site);
            ["-c".to_owned(), format!("{key}="), "-c".to_owned(), format!("{key}={HELPER}")]
        });
        let quiet = QUIET.map(str::to_owned).into_iter();
        let args = args.iter().map(|arg| (*arg).to_owned());
        let mut command = Command::new("git", quiet.chain(helper).chain(place).chain(args));
        command.env.clone_from(&self.env);
        command.run_as = self.identity.run_as();
        // Git needs a readable working directory, even with `-C`.
        command.dir = Some("/".into());
        command
    }

    /// The output of a read-only command that needs no checkout.
    pub(crate) fn ask(&self, args: &[&str], host: &Reading<'_>) -> Result<String> {
        self.expect(args, host.probe(&self.command(false, args))).map(|output| text(&output.stdout))
    }

    /// The output of a read-only command in the checkout.
    pub(crate) fn look(&self, args: &[&str], host: &Reading<'_>) -> Result<String> {
        self.look_at_bytes(args, host).map(|output| text(&output))
    }

    /// The same, as bytes.
    pub(crate) fn look_at_bytes(&self, args: &[&str], host: &Reading<'_>) -> Result<Vec<u8>> {
        self.expect(args, host.probe(&self.command(true, args))).map(|output| output.stdout)
    }

    /// Whether a read-only command in the checkout succeeds.
    pub(crate) fn succeeds(&self, args: &[&str], host: &Reading<'_>) -> Result<bool> {
        Ok(host.probe(&self.command(true, args))?.success())
    }

    /// Runs a command that changes the checkout.
    pub(crate) fn run(&self, args: &[&str], host: &Act<'_>) -> Result<Output> {
        self.expect(args, host.run(&self.command(true, args)))
    }

    /// Runs a command that changes the checkout, and returns whether it succeeded.
    pub(crate) fn try_run(&self, args: &[&str], host: &Act<'_>) -> Result<bool> {
        Ok(host.run(&self.command(true, args))?.success())
    }

    /// The same git with another index file.
    pub(crate) fn with_index(&self, index: &Path) -> Self {
        let mut env = self.env.clone();
        env.insert("GIT_INDEX_FILE".to_owned(), index.display().to_string());
        Self { git: self.git, address: self.address.clone(), env, identity: self.identity.clone() }
    }

    /// Whether all files of a commit are in the checkout's object store.
    pub(crate) fn has_files_of(&self, commit: &str, host: &Reading<'_>) -> Result<bool> {
        self.succeeds(&["rev-list", "--quiet", "--objects", "--no-walk", commit], host)
    }

    fn expect(&self, args: &[&str], output: Result<Output>) -> Result<Output> {
        let output = output.map_err(|error| match error.kind() {
            ErrorKind::Missing => error.hint("install git, for example with `package \"git\" {}`"),
            _ => error,
        })?;
        if output.success() {
            return Ok(output);
        }
        let what = format!("`git {}` failed for {}", args.first().unwrap_or(&""), self.git.path);
        Err(refusal(&output, "git", &self.secrets(), what))
    }

    /// Secrets that the output of git may contain.
    fn secrets(&self) -> BTreeMap<String, String> {
        let mut secrets = self.git.env.clone();
        if let Some(login) = &self.address.login {
            secrets.insert(USER.to_owned(), login.user.clone());
            secrets.insert(PASSWORD.to_owned(), login.password.clone());
        }
        secrets
    }
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

/// The ssh command: without prompts, and with the declared key.
fn ssh(git: &Git) -> String {
    let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
    let key = git.ssh_key.as_ref().map(|key| format!(" -o IdentitiesOnly=yes -i {}", quoted(key)));
    format!("ssh -o BatchMode=yes{}", key.unwrap_or_default())
}

/// The error for a checkout that stays incomplete.
pub(crate) fn incomplete(git: &Git, why: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Rejected, format!("the checkout {} is not complete: {why}", git.path))
}

// The user that git runs as, and whether that user can trust the checkout.
//
// Git runs programs that the configuration of a repository names, such as filters. Any user who can write to the
// checkout, or replace it by another directory, decides what git runs. So only root and the user that git runs as
// may have that access.

/// The user that git runs as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    uid: u32,
    gid: u32,
    /// The user that Uphold runs as.
    own: u32,
    /// The path of the checkout, with links resolved.
    place: PathBuf,
}

impl Identity {
    /// `user`, else the owner of the checkout, else the user that Uphold runs as.
    ///
    /// # Errors
    /// If that user has no account, or if another user could decide what git runs in the checkout.
    pub(crate) fn of(git: &Git, host: &Reading<'_>) -> Result<Self> {
        let own = host.accounts().current_uid();
        let uid = match &git.user {
            Some(user) => user.id(host)?,
            None if own == 0 => host.files().look(&git.path)?.map_or(own, |entry| entry.uid),
            None => own,
        };
        let gid = match host.accounts().user_by_id(uid)? {
            Some(user) => user.gid,
            None if uid == own => 0,
            None => {
                let what = format!("git cannot run as user {uid} in {}: that user has no account", git.path);
                return Err(Error::new(ErrorKind::Missing, what).hint("set `user` to an existing user"));
            }
        };
        let mut identity = Self { uid, gid, own, place: PathBuf::new() };
        identity.place = identity.find_place(&git.path, host)?;
        identity.check(&git.path, host)?;
        Ok(identity)
    }

    /// The path of the checkout, with links resolved.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    /// User and group to switch to; none if Uphold already runs as that user.
    pub(crate) fn run_as(&self) -> Option<(u32, u32)> {
        (self.uid != self.own).then_some((self.uid, self.gid))
    }

    /// The user that git runs as.
    pub(crate) fn uid(&self) -> u32 {
        self.uid
    }

    /// The users who may be able to write to the checkout. Any, unless Uphold runs as root: only root can act as
    /// other users.
    fn writers(&self) -> Writers {
        if self.own == 0 { Writers::root_and(self.uid) } else { Writers::ANY }
    }

    /// Fails if another user could change the checkout.
    fn check(&self, path: &Path, host: &Reading<'_>) -> Result<()> {
        let place = &self.place;
        for place in [place.clone(), place.join(".git"), place.join(".git/config")] {
            let Some(entry) = host.files().look(&place)? else { return Ok(()) };
            if entry.uid != self.uid {
                return Err(self.belongs_to_another(&place, &entry, host));
            }
            if let Some(doubt) = self.writers().untrusted_reason(&entry, host) {
                return Err(self.refusal(path, &untrusted_words(doubt, &place, host)?, host));
            }
        }
        Ok(())
    }

    /// The path with links resolved. Fails if another user could replace one of its parent directories.
    fn find_place(&self, path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
        trusted_path(path, &self.writers(), host)?.map_err(|why| self.refusal(path, &why, host))
    }

    fn refusal(&self, path: &Path, why: &str, host: &Reading<'_>) -> Error {
        let user = name(self.uid, host).unwrap_or_else(|_| self.uid.to_string());
        let what = format!("git cannot run as {user} in {}: {why}", path.display());
        let writers = if self.uid == 0 { "root".to_owned() } else { format!("root and {user}") };
        Error::new(ErrorKind::Rejected, what).hint(format!(
            "use a path that only {writers} can write, or set `user` to the owner of the directory"
        ))
    }

    fn belongs_to_another(&self, path: &Path, entry: &Entry, host: &Reading<'_>) -> Error {
        let word = |uid| name(uid, host).unwrap_or_else(|_| format!("user {uid}"));
        let (user, owner) = (word(self.uid), word(entry.uid));
        let what = format!("git cannot run as {user} in {}: it belongs to {owner}", path.display());
        Error::new(ErrorKind::Rejected, what).hint("set `user` to its owner, or use another path")
    }
}

fn name(uid: u32, host: &Reading<'_>) -> Result<String> {
    let user = host.accounts().user_by_id(uid)?;
    Ok(user.map_or_else(|| format!("user {uid}"), |user| user.name))
}
