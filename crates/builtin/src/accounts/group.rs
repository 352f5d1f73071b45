//! The kind `group`.

use std::collections::BTreeSet;

use uphold_kit::tool::command;
use uphold_resource::{
    Act, Claim, Claiming, Claims, Delta, Error, ErrorKind, Found, Interest, Look, Previous, Problem, Reading,
    Resource, Result, Step, Want, Watching, Wish,
};

use super::database::{GROUP, PASSWD};
use super::{Membership, UserSet, database};

/// A group of this machine.
///
/// Managed with `groupadd`, `groupmod`, `groupdel` and `gpasswd`. A group that is the primary group of a user can
/// be removed only after that user.
///
/// ```hcl
/// group "deploy" {
///   gid     = 4000
///   members = ["root"]
/// }
/// ```
///
/// Members that are also declared as a `user` are created first. Such a user cannot name this group in its own
/// `group` or `groups`, because then each would depend on the other: declare the membership on one side only.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "group", also("groupadd"), claims, interests)]
pub struct Group {
    /// Group name; defaults to the block's label.
    #[also("group_name", "groupname")]
    #[name]
    #[check(
        super::is_new,
        "must begin with a letter or `_`, contain only letters, digits, `_`, `.` and `-`, and have at most 32 characters"
    )]
    pub name: String,
    /// Numeric group ID. A new group gets a free one if it is not set.
    #[range(0_u32..=4_294_967_294_u32)]
    pub gid: Want<u32>,
    /// Users that are members of the group. A user whose primary group it is need not be listed.
    #[also("users")]
    pub members: Want<UserSet>,
    /// `append`: `members` are added, and other members are kept. `exact`: `members` are the only members.
    #[also("append", "auth_membership")]
    #[default(Membership::Append)]
    pub membership: Membership,
    /// Users that must not be members. They need not exist.
    #[default(Vec::new())]
    pub excluded_members: Vec<String>,
    /// Create the group as a system group, with a low group ID. Has no effect on an existing group.
    #[default(false)]
    pub system: bool,
    /// Allow another group to have the same group ID.
    #[also("allow_dupe", "allowdupe")]
    #[default(false)]
    pub non_unique: bool,
}

impl Resource for Group {
    fn validate(&self) -> Result<(), Problem> {
        let declares = |name: &str| self.members.get().is_some_and(|all| all.iter().any(|one| one == name));
        match self.excluded_members.iter().find(|name| declares(name.as_str())) {
            Some(both) => {
                let rule = format!("contains `{both}`, which is in `members`, too");
                let fix = "remove it from one of the two lists";
                Err(Problem::new(None, rule, fix).inside("excluded_members"))
            }
            None => Ok(()),
        }
    }

    fn prepare(&self, look: &Look<'_>) -> Result<GroupWishes> {
        self.check(look)?;
        Ok(GroupWishes { members: self.members_to_have(), ..GroupWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let groups = database::groups(look)?;
        Ok(groups
            .named(&self.name)
            .map(|group| GroupState { gid: group.gid, members: UserSet::new(group.members.clone()) })
            .into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => {
                let mut arguments = self.number(goal.gid);
                arguments.extend(self.system.then(|| "--system".to_owned()));
                self.run("create", "groupadd", arguments, host)?;
                match &goal.members {
                    Some(members) if members.iter().next().is_some() => self.set_members(members, host),
                    _ => Ok(()),
                }
            }
            Step::Update { goal, change, .. } => {
                if change.gid.is_some() {
                    self.run("change", "groupmod", self.number(goal.gid), host)?;
                }
                change.members.as_ref().map_or(Ok(()), |members| self.adjust(members, host))
            }
            Step::Remove { .. } => self.run("remove", "groupdel", Vec::new(), host),
        }
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        Previous::without(&["excluded_members"]).with("membership", "exact")
    }
}

impl Claiming for Group {
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Group(self.name.as_str().into()));
    }
}

impl Watching for Group {
    /// Members must exist, so a user that is created or removed makes a difference.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(GROUP.into()));
        interests.extend(self.members.is_set().then(|| Interest::Path(PASSWD.into())));
    }
}

impl Group {
    /// Appending keeps other members, other than excluded ones, which are removed even if `members` is not set.
    fn members_to_have(&self) -> Wish<UserSet> {
        let declared = self.members.get();
        let is_open = self.membership == Membership::Append;
        if !is_open || (declared.is_none() && self.excluded_members.is_empty()) {
            return Wish::Declared;
        }
        let members = declared.cloned().unwrap_or_default();
        Wish::Set(members.appending(self.excluded_members.iter().cloned().collect()))
    }

    /// Fails if the declaration cannot be applied with any tool.
    fn check(&self, host: &Reading<'_>) -> Result<()> {
        self.is_free(host)?;
        match self.members.get().map_or(Ok(None), |members| unknown_user(members, host))? {
            None => Ok(()),
            Some(name) => {
                let what =
                    format!("the user `{name}`, a member of the group `{}`, does not exist", self.name);
                Err(Error::new(ErrorKind::Missing, what).hint("declare the user, or correct its name"))
            }
        }
    }

    /// Fails if another group has the declared gid, unless `non_unique` is set.
    fn is_free(&self, host: &Reading<'_>) -> Result<()> {
        let Some(gid) = self.gid.get().filter(|_| !self.non_unique) else { return Ok(()) };
        database::groups(host)?.table.check_free(&self.name, *gid, ["group", "gid"])
    }

    fn number(&self, gid: Option<u32>) -> Vec<String> {
        let Some(gid) = gid else { return Vec::new() };
        let shared = self.non_unique.then(|| "--non-unique".to_owned());
        ["--gid".to_owned(), gid.to_string()].into_iter().chain(shared).collect()
    }

    /// Applies a change of members. `gpasswd --members` refuses a list with users that no longer exist, so then
    /// each difference is applied on its own.
    fn adjust(&self, members: &Delta<UserSet>, host: &Act<'_>) -> Result<()> {
        if unknown_user(&members.to, host)?.is_none() {
            return self.set_members(&members.to, host);
        }
        let only = |here: &UserSet, there: &UserSet| -> Vec<String> {
            let others: BTreeSet<&str> = there.iter().collect();
            here.iter().filter(|name| !others.contains(name)).map(str::to_owned).collect()
        };
        for name in only(&members.from, &members.to) {
            self.run("remove a member from", "gpasswd", vec!["--delete".to_owned(), name], host)?;
        }
        for name in only(&members.to, &members.from) {
            self.run("add a member to", "gpasswd", vec!["--add".to_owned(), name], host)?;
        }
        Ok(())
    }

    /// Sets the whole list of members.
    fn set_members(&self, members: &UserSet, host: &Act<'_>) -> Result<()> {
        self.run("set the members of", "gpasswd", vec!["--members".to_owned(), members.joined()], host)
    }

    fn run(&self, what: &str, tool: &str, arguments: Vec<String>, host: &Act<'_>) -> Result<()> {
        let what = format!("{what} the group `{}`", self.name);
        super::run(host, &what, &command(tool, arguments.into_iter().chain([self.name.clone()])))
    }
}

/// The first of these users that has no account, neither in the local files nor in a directory service.
fn unknown_user(users: &UserSet, host: &Reading<'_>) -> Result<Option<String>> {
    let passwd = database::passwd(host)?;
    let elsewhere = |name: &str| host.accounts().user(name).is_ok_and(|found| found.is_some());
    Ok(users.iter().find(|name| passwd.named(name).is_none() && !elsewhere(name)).map(str::to_owned))
}
