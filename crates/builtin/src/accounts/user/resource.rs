//! One user account.

use std::path::Path;

use uphold_resource::{
    Act, Batch, Claim, Claiming, Claims, GroupName, Interest, OwnedPaths, Reading, Resource, Result,
    Sensitive, Step, Value, Want, Watching,
};

use super::super::database::{self, GROUP, PASSWD, SHADOW};
use super::super::{AccountPath, Date, GroupSet, Membership, name, tool};
use super::{arguments, home, password, state, unfinished, wish};
use crate::tool::command;

/// Where home directories are made unless `home` is set.
const HOMES: &str = "/home";

/// Where mailboxes are, one for each user.
const MAIL: [&str; 2] = ["/var/mail", "/var/spool/mail"];

/// One user account of this machine.
///
/// The databases are read directly; they are changed by `useradd`, `usermod`, `userdel`, `chpasswd` and `chage`, so that
/// everything else that these do is done, too. Accounts of a directory server are not managed.
///
/// A new user gets a group of its own name unless `group` is set, and a home directory unless it is a system account.
///
/// An account whose making was interrupted is not `intact`: the next run makes it anew, with its home directory, its group and its
/// password. Until then its password is locked.
///
/// The owner of the home directory is the user's own business, and root's: the directory may belong to any account. If its owner has no
/// account, as when another program changed the user's number at the same time, the directory and all files of that owner in it are
/// given to the user, unless `create_home` is false. Its group and its permissions are not managed.
///
/// Removing a user keeps the home directory unless `remove_home` is set. A user who has running processes is not removed.
///
/// ```hcl
/// user "ann" {
///   comment = "Ann Archer"
///   groups  = ["adm"]
///   shell   = "/bin/bash"
/// }
/// ```
///
/// A secret is handed to `chpasswd` on its standard input, and shown nowhere.
///
/// ```hcl
/// user "app" {
///   system   = true
///   home     = "/srv/app"
///   shell    = "/usr/sbin/nologin"
///   password = "*"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "user", also("account", "useradd"), claims, interests, batch)]
pub struct User {
    /// The login name; the block's label unless set.
    #[also("username", "login")]
    #[name]
    #[check(
        name::is_new,
        "must begin with a letter or `_`, go on with letters, digits, `_`, `.` and `-`, and have 32 characters at most"
    )]
    pub name: String,
    /// The user's number. A new user gets a free one unless this is set.
    #[range(0_u32..=4_294_967_294_u32)]
    pub uid: Want<u32>,
    /// The user's own group, by name or number. A new user gets the group of its own name, which is made unless it is
    /// there.
    #[also("gid", "primary_group", "groupname")]
    pub group: Want<GroupName>,
    /// The other groups that it is a member of.
    #[also("supplementary_groups", "append_groups")]
    pub groups: Want<GroupSet>,
    /// Whether `groups` are some of its groups, and others are kept (`append`), or all of them (`exact`).
    #[also("append")]
    #[default(Membership::Append)]
    pub membership: Membership,
    /// What it is called by people.
    #[also("gecos", "full_name", "description")]
    #[check(name::is_field, "must be one line of text without `:`")]
    pub comment: Want<String>,
    /// The home directory.
    #[also("home_dir", "homedir")]
    pub home: Want<AccountPath>,
    /// The program that is started at login.
    pub shell: Want<AccountPath>,
    /// The hash of the password, as `openssl passwd -6` prints it. `"*"` is a password that nobody has. Never shown. A lock is
    /// no part of it: set `locked = false`, too, if a password that others locked is to be unlocked.
    #[also("password_hash", "encrypted_password")]
    #[check(
        password::is_hash,
        "must be the hash of a password, as `openssl passwd -6` prints it, or \"*\" for none"
    )]
    pub password: Want<Sensitive<String>>,
    /// Whether the password is locked, so that nobody can log in with it. Keys still work: see `expires`. Without a
    /// password, unlocking sets one that nobody has.
    #[also("lock", "password_lock")]
    pub locked: Want<bool>,
    /// The first day on which the account cannot be used, or null for never. A day in the past keeps everybody out.
    #[also("expiry", "expire_date", "expiry_date", "expiredate")]
    pub expires: Want<Option<Date>>,
    /// How many days after its end a password can still be replaced at login; null for ever.
    #[also("password_inactive")]
    #[range(0..=99999)]
    pub inactive: Want<Option<u32>>,
    /// How many days a password must be kept; null for none.
    #[also("password_min_age", "password_expire_min", "min_days")]
    #[range(0..=99999)]
    pub password_min_days: Want<Option<u32>>,
    /// After how many days a password must be changed; null for never.
    #[also("password_max_age", "password_expire_max", "max_days")]
    #[range(0..=99999)]
    pub password_max_days: Want<Option<u32>>,
    /// How many days before that the user is warned; null for none.
    #[also("password_expire_warn", "warn_days")]
    #[range(0..=99999)]
    pub password_warn_days: Want<Option<u32>>,
    /// Whether a new user is a system account: a low number, no home directory unless `create_home` is set.
    #[default(false)]
    pub system: bool,
    /// Whether a new user gets its home directory, filled from `/etc/skel`; yes unless it is a system account. What is
    /// there already is kept.
    #[also("manage_home", "managehome", "createhome")]
    pub create_home: Option<bool>,
    /// Whether the account was made to its end. Always required.
    #[check(is_true, "cannot be switched off")]
    pub intact: Want<bool>,
    /// Whether the home directory, if there is one, belongs to an account. Always required, unless `create_home` is false.
    #[check(is_true, "cannot be switched off")]
    pub home_owned: Want<bool>,
    /// Whether the home directory is moved when `home` changes. Otherwise the account only names another one.
    #[also("move_dir")]
    #[default(false)]
    pub move_home: bool,
    /// Whether removing the user removes the home directory, with all that is inside, and the mail.
    #[also("remove", "purge_home")]
    #[default(false)]
    pub remove_home: bool,
    /// Whether another user may have the same number.
    #[also("allow_dupe", "allowdupe", "allowduplicateuid")]
    #[default(false)]
    pub non_unique: bool,
}

fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

impl Resource for User {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        self.intact = Want::Set(true);
        if self.creates_home() {
            self.home_owned = Want::Set(true);
        }
        if self.membership == Membership::Append
            && let Want::Set(groups) = std::mem::take(&mut self.groups)
        {
            self.groups = Want::Set(groups.appending(Default::default()));
        }
        wish::check(self, host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<UserState>> {
        state::load(self, host)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        Self::apply_all(&[(self, step)], host).pop().unwrap_or(Ok(()))
    }
}

/// Each account is made by a command of its own; the passwords of all of them are set by one.
impl Batch for User {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        let mut results: Vec<_> = items.iter().map(|(user, step)| user.take(*step, host)).collect();
        password::set_all(items, &mut results, host);
        results
    }
}

impl Claiming for User {
    /// A home directory that it makes is there for others; what holds the home directory has to be there before.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::User(self.name.as_str().into()));
        if !self.group.is_set() {
            claims.need(Claim::Group(self.name.as_str().into()));
        }
        if let Some(shell) = self.shell.get() {
            claims.need(Claim::Path(shell.as_path().to_owned()));
        }
        let parent = self.home.get().map_or(Some(Path::new(HOMES)), |home| home.as_path().parent());
        if self.creates_home() {
            claims.needs.extend(parent.map(|parent| Claim::Path(parent.to_owned())));
            claims.provides.extend(self.home.get().map(|home| Claim::Path(home.as_path().to_owned())));
        }
        match self.home.get() {
            Some(home) => claims.own(home.as_path()),
            None => claims.own(Path::new(HOMES).join(&self.name)),
        }
        MAIL.map(Path::new).into_iter().for_each(|spool| claims.own(spool.join(&self.name)));
    }

    /// An account that is there may have its home directory elsewhere.
    fn owned_paths(&self) -> Option<OwnedPaths> {
        let name = self.name.clone();
        Some(Box::new(move |host| {
            Ok(host.accounts().user(&name)?.map(|user| user.home).into_iter().collect())
        }))
    }
}

impl Watching for User {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.retain(|interest| *interest != Interest::Accounts);
        interests.extend([PASSWD, GROUP, SHADOW].map(|path| Interest::Path(path.into())));
        let passwd = database::passwd(host).ok();
        let account = passwd.as_ref().and_then(|passwd| passwd.named(&self.name));
        interests.extend(account.map(|account| Interest::Path(account.home.as_str().into())));
    }
}

impl User {
    /// Whether a new account gets its home directory.
    pub(super) fn creates_home(&self) -> bool {
        self.create_home.unwrap_or(!self.system)
    }

    /// Everything but the password.
    fn take(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.create(goal, host),
            Step::Update { change, current, .. } if change.intact.is_some() => {
                unfinished::remove(self, current, host)?;
                self.create(&unfinished::goal(self, current), host)
            }
            Step::Update { goal, change, current } => {
                if change.home_owned.is_some() {
                    home::give_back(self, current, host)?;
                }
                let arguments = arguments::changed(self, goal, change);
                if !arguments.is_empty() {
                    let arguments = arguments.into_iter().chain([self.name.clone()]);
                    let what = format!("change the user `{}`", self.name);
                    tool::run(host, &what, &command("usermod", arguments))?;
                }
                self.age(arguments::aged_anew(change), host)
            }
            Step::Remove { .. } => {
                let what = format!("remove the user `{}`", self.name);
                let home = self.remove_home.then_some("--remove");
                tool::run(host, &what, &command("userdel", home.into_iter().chain([self.name.as_str()])))
            }
        }
    }

    fn create(&self, goal: &UserGoal, host: &Act<'_>) -> Result<()> {
        let what = format!("create the user `{}`", self.name);
        tool::run(host, &what, &command("useradd", arguments::created(self, goal, host)?))?;
        self.age(arguments::aged(self), host)
    }

    fn age(&self, arguments: Vec<String>, host: &Act<'_>) -> Result<()> {
        if arguments.is_empty() {
            return Ok(());
        }
        let what = format!("set how long the password of `{}` is good for", self.name);
        tool::run(host, &what, &command("chage", arguments.into_iter().chain([self.name.clone()])))
    }
}
