//! The kind `user`.

mod arguments;
mod state;

use std::path::Path;

use uphold_kit::tool::command;
use uphold_resource::{
    Act, Batch, Claim, Claiming, Claims, Found, GroupName, Interest, Look, OwnedPaths, Previous, Property,
    Reading, Resource, Result, Sensitive, Step, Value, Want, Watching, Wish,
};

use super::database::{GROUP, PASSWD, SHADOW};
use super::{AccountPath, Date, GroupSet, Membership, database};

/// The parent of home directories if `home` is not set.
const HOMES: &str = "/home";

/// The directories of mailboxes, one file for each user.
const MAIL: [&str; 2] = ["/var/mail", "/var/spool/mail"];

/// A user account of this machine.
///
/// Uphold reads the account databases directly, and changes them with `useradd`, `usermod`, `userdel`, `chpasswd`
/// and `chage`, so that all of their side effects apply. Accounts of a directory service are not managed.
///
/// A new user gets a group of the same name unless `group` is set, and a home directory unless it is a system
/// account.
///
/// If the creation of an account is interrupted, its password stays locked, and the next run creates it again with
/// its home directory, group and password.
///
/// The home directory may belong to any existing account. If its owner has no account, for example because another
/// program changed the user's ID at the same time, the directory and all files of that owner in it are given to the
/// user, unless `create_home` is false. The group and permissions of the directory are not managed.
///
/// Removing a user keeps the home directory unless `remove_home` is set. A user with running processes is not
/// removed.
///
/// ```hcl
/// user "ann" {
///   comment = "Ann Archer"
///   groups  = ["adm"]
///   shell   = "/bin/bash"
/// }
/// ```
///
/// A password hash is passed to `chpasswd` on its standard input, and never shown.
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
    /// Login name; defaults to the block's label.
    #[also("username", "login")]
    #[name]
    #[check(
        super::is_new,
        "must begin with a letter or `_`, contain only letters, digits, `_`, `.` and `-`, and have at most 32 characters"
    )]
    pub name: String,
    /// Numeric user ID. A new user gets a free one if it is not set.
    #[range(0_u32..=4_294_967_294_u32)]
    pub uid: Want<u32>,
    /// Primary group, by name or number. If it is not set, a new user gets the group of its own name, which is
    /// created if it does not exist.
    #[also("gid", "primary_group", "groupname")]
    #[interest(none)]
    pub group: Want<GroupName>,
    /// Supplementary groups.
    #[also("supplementary_groups", "append_groups")]
    pub groups: Want<GroupSet>,
    /// `append`: `groups` are added, and other groups are kept. `exact`: `groups` are the only supplementary
    /// groups.
    #[also("append")]
    #[default(Membership::Append)]
    pub membership: Membership,
    /// Full name or comment (GECOS field).
    #[also("gecos", "full_name", "description")]
    #[check(super::is_field, "must be a single line without `:`")]
    pub comment: Want<String>,
    /// Home directory.
    #[also("home_dir", "homedir")]
    pub home: Want<AccountPath>,
    /// Login shell.
    pub shell: Want<AccountPath>,
    /// Password hash, as printed by `openssl passwd -6`; `"*"` disables login by password. Never shown. The lock is
    /// managed separately: to unlock a password that was locked by hand, also set `locked = false`.
    #[also("password_hash", "encrypted_password")]
    #[check(
        arguments::is_hash,
        "must be a password hash, as printed by `openssl passwd -6`, or \"*\" for none"
    )]
    pub password: Want<Sensitive<String>>,
    /// Whether login by password is locked. SSH keys still work; to disable the account, set `expires`. Unlocking
    /// an account that has no password gives it an unusable one.
    #[also("lock", "password_lock")]
    pub locked: Want<bool>,
    /// Date on which the account expires, as in `"2027-01-31"`; null for never. A date in the past disables the
    /// account.
    #[also("expiry", "expire_date", "expiry_date", "expiredate")]
    pub expires: Want<Option<Date>>,
    /// Days after a password expires during which it can still be changed at login; null for no limit.
    #[also("password_inactive")]
    #[range(0..=99999)]
    pub inactive: Want<Option<u32>>,
    /// Minimum days between password changes; null for no limit.
    #[also("password_min_age", "password_expire_min", "min_days")]
    #[range(0..=99999)]
    pub password_min_days: Want<Option<u32>>,
    /// Days after which the password must be changed; null for never.
    #[also("password_max_age", "password_expire_max", "max_days")]
    #[range(0..=99999)]
    pub password_max_days: Want<Option<u32>>,
    /// Days before the password expires on which the user is warned; null for no warning.
    #[also("password_expire_warn", "warn_days")]
    #[range(0..=99999)]
    pub password_warn_days: Want<Option<u32>>,
    /// Create the user as a system account: a low user ID, and no home directory unless `create_home` is set.
    #[default(false)]
    pub system: bool,
    /// Whether a new user gets a home directory, filled from `/etc/skel`. Defaults to true, and to false for a
    /// system account. Existing files are kept.
    #[also("manage_home", "managehome", "createhome")]
    pub create_home: Option<bool>,
    /// Whether the creation of the account was completed. Always managed.
    #[check(is_true, "cannot be set to false")]
    pub intact: Want<bool>,
    /// Whether the owner of an existing home directory has an account. Always managed, unless `create_home` is
    /// false.
    #[check(is_true, "cannot be set to false")]
    pub home_owned: Want<bool>,
    /// Move the content of the home directory when `home` changes. Otherwise only the account entry changes.
    #[also("move_dir")]
    #[default(false)]
    pub move_home: bool,
    /// Remove the home directory with its content, and the mailbox, when the user is removed.
    #[also("remove", "purge_home")]
    #[default(false)]
    pub remove_home: bool,
    /// Allow another user to have the same user ID.
    #[also("allow_dupe", "allowdupe", "allowduplicateuid")]
    #[default(false)]
    pub non_unique: bool,
}

fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

impl Resource for User {
    fn prepare(&self, look: &Look<'_>) -> Result<UserWishes> {
        state::check(self, look)?;
        // A new account has no such state yet.
        let always = |is_managed: bool| if is_managed { Wish::Set(true) } else { Wish::Unset };
        let exists = database::passwd(look)?.named(&self.name).is_some();
        let groups = match self.groups.get() {
            Some(groups) if self.membership == Membership::Append => {
                Wish::Set(groups.clone().appending(Default::default()))
            }
            _ => Wish::Declared,
        };
        Ok(UserWishes {
            groups,
            intact: always(exists),
            home_owned: always(exists && self.creates_home()),
            ..UserWishes::default()
        })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        state::load(self, look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        Self::apply_all(&[(self, step)], host).pop().unwrap_or(Ok(()))
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Remove { .. } if self.remove_home => {
                Previous::none("its home directory was removed with it")
            }
            // Its own group was removed with it, and is created with it.
            Step::Remove { current } if current.group.to_value() == Value::text(self.name.as_str()) => {
                Previous::without(&["intact", "home_owned", "move_home", "remove_home", "group"])
                    .with("membership", "exact")
            }
            _ => Previous::without(&["intact", "home_owned", "move_home", "remove_home"])
                .with("membership", "exact"),
        }
    }
}

/// Accounts are created one command each; all passwords are set by a single command.
impl Batch for User {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        let mut results: Vec<_> =
            items.iter().map(|(user, step)| user.apply_without_password(*step, host)).collect();
        arguments::set_all(items, &mut results, host);
        results
    }
}

impl Claiming for User {
    /// A home directory that it creates is provided to other resources; its parent directory must exist before.
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
        for spool in MAIL.map(Path::new) {
            claims.own(spool.join(&self.name));
        }
    }

    /// An existing account may have another home directory than the declared one.
    fn owned_paths(&self) -> Option<OwnedPaths> {
        let name = self.name.clone();
        Some(Box::new(move |host| {
            Ok(host.accounts().user(&name)?.map(|user| user.home).into_iter().collect())
        }))
    }
}

impl Watching for User {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.extend([PASSWD, GROUP, SHADOW].map(|path| Interest::Path(path.into())));
        let passwd = database::passwd(host).ok();
        let account = passwd.as_ref().and_then(|passwd| passwd.named(&self.name));
        interests.extend(account.map(|account| Interest::Path(account.home.as_str().into())));
    }
}

impl User {
    /// Whether a new account gets a home directory.
    fn creates_home(&self) -> bool {
        self.create_home.unwrap_or(!self.system)
    }

    /// Applies all properties other than the password.
    fn apply_without_password(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.create(goal, host),
            Step::Update { change, current, .. } if change.intact.is_some() => {
                state::remove(self, current, host)?;
                self.create(&state::goal(self, current), host)
            }
            Step::Update { goal, change, current } => {
                if change.home_owned.is_some() {
                    state::give_back(self, current, host)?;
                }
                let arguments = arguments::changed(self, goal, change);
                if !arguments.is_empty() {
                    let arguments = arguments.into_iter().chain([self.name.clone()]);
                    let what = format!("change the user `{}`", self.name);
                    super::run(host, &what, &command("usermod", arguments))?;
                }
                self.age(arguments::aged_anew(change), host)
            }
            Step::Remove { .. } => {
                let what = format!("remove the user `{}`", self.name);
                let home = self.remove_home.then_some("--remove");
                super::run(host, &what, &command("userdel", home.into_iter().chain([self.name.as_str()])))
            }
        }
    }

    fn create(&self, goal: &UserGoal, host: &Act<'_>) -> Result<()> {
        let what = format!("create the user `{}`", self.name);
        super::run(host, &what, &command("useradd", arguments::created(self, goal, host)?))?;
        self.age(arguments::aged(self), host)
    }

    fn age(&self, arguments: Vec<String>, host: &Act<'_>) -> Result<()> {
        if arguments.is_empty() {
            return Ok(());
        }
        let what = format!("set the password aging of the user `{}`", self.name);
        super::run(host, &what, &command("chage", arguments.into_iter().chain([self.name.clone()])))
    }
}
