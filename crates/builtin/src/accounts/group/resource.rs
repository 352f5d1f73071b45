//! One group.

use std::collections::BTreeSet;

use uphold_resource::{
    Act, Claim, Claiming, Claims, Delta, Error, ErrorKind, Interest, Reading, Resource, Result, Step, Want,
    Watching,
};

use super::super::database::{self, GROUP, PASSWD};
use super::super::{Membership, UserSet, name, tool};
use crate::tool::command;

/// One group of this machine.
///
/// It is changed by `groupadd`, `groupmod`, `groupdel` and `gpasswd`. A group that is some user's own cannot be removed
/// before that user.
///
/// ```hcl
/// group "deploy" {
///   gid     = 4000
///   members = ["root"]
/// }
/// ```
///
/// Members that are declared as a `user`, too, are made before. Such a user cannot name this group in its own `group` or
/// `groups`, for which the group would have to be there before: say who is in the group on one side only.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "group", also("groupadd"), claims, interests)]
pub struct Group {
    /// The group's name; the block's label unless set.
    #[also("group_name", "groupname")]
    #[name]
    #[check(
        name::is_new,
        "must begin with a letter or `_`, go on with letters, digits, `_`, `.` and `-`, and have 32 characters at most"
    )]
    pub name: String,
    /// The group's number. A new group gets a free one unless this is set.
    #[range(0_u32..=4_294_967_294_u32)]
    pub gid: Want<u32>,
    /// The users that are in it. Those whose own group it is need not be named.
    #[also("users")]
    pub members: Want<UserSet>,
    /// Whether `members` are some of its members, and others are kept (`append`), or all of them (`exact`).
    #[also("append", "auth_membership")]
    #[default(Membership::Append)]
    pub membership: Membership,
    /// Users that are not in it. They may be users that there are not.
    #[default(Vec::new())]
    pub excluded_members: Vec<String>,
    /// Whether a new group is one of the system: it gets a low number.
    #[default(false)]
    pub system: bool,
    /// Whether another group may have the same number.
    #[also("allow_dupe", "allowdupe")]
    #[default(false)]
    pub non_unique: bool,
}

impl Resource for Group {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if self.membership == Membership::Append {
            self.append();
        }
        self.check(host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<GroupState>> {
        let groups = database::groups(host)?;
        Ok(groups
            .named(&self.name)
            .map(|group| GroupState { gid: group.gid, members: UserSet::new(group.members.clone()) }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => {
                let mut arguments = self.number(goal.gid);
                arguments.extend(self.system.then(|| "--system".to_owned()));
                self.run("create", "groupadd", arguments, host)?;
                match &goal.members {
                    Some(members) if members.iter().next().is_some() => self.fill(members, host),
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
}

impl Claiming for Group {
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Group(self.name.as_str().into()));
    }
}

impl Watching for Group {
    /// Members have to be there: one that comes or goes makes a difference.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(GROUP.into()));
        interests.extend(self.members.is_set().then(|| Interest::Path(PASSWD.into())));
    }
}

impl Group {
    /// Others are kept. Those that are excluded go, whether members were named or not.
    fn append(&mut self) {
        let excluded = || self.excluded_members.iter().cloned().collect();
        match std::mem::take(&mut self.members) {
            Want::Set(members) => self.members = Want::Set(members.appending(excluded())),
            Want::Unset if self.excluded_members.is_empty() => {}
            Want::Unset => self.members = Want::Set(UserSet::default().appending(excluded())),
        }
    }

    /// Fails if no tool could make this wish come true.
    fn check(&self, host: &Reading<'_>) -> Result<()> {
        let wished = self.members.get();
        if let Some(both) = self
            .excluded_members
            .iter()
            .find(|name| wished.is_some_and(|wished| wished.iter().any(|member| member == name.as_str())))
        {
            let what = format!("the group `{}` both has and excludes `{both}`", self.name);
            return Err(Error::new(ErrorKind::Invalid, what).hint("keep it in one of the two lists"));
        }
        self.is_free(host)?;
        match wished.map_or(Ok(None), |members| stranger(members, host))? {
            None => Ok(()),
            Some(name) => {
                let what = format!("there is no user `{name}` for the group `{}`", self.name);
                Err(Error::new(ErrorKind::Missing, what).hint("declare the user, or correct its name"))
            }
        }
    }

    /// A number belongs to one group, unless that is asked for.
    fn is_free(&self, host: &Reading<'_>) -> Result<()> {
        let Some(gid) = self.gid.get().filter(|_| !self.non_unique) else { return Ok(()) };
        let groups = database::groups(host)?;
        let own = groups.named(&self.name).is_some_and(|own| own.gid == *gid);
        match groups.numbered(*gid).filter(|other| !own && other.name != self.name) {
            None => Ok(()),
            Some(other) => {
                let what =
                    format!("the number {gid} of the group `{}` belongs to `{}`", self.name, other.name);
                Err(Error::new(ErrorKind::Invalid, what)
                    .hint("choose another `gid`, or set `non_unique = true`"))
            }
        }
    }

    fn number(&self, gid: Option<u32>) -> Vec<String> {
        let Some(gid) = gid else { return Vec::new() };
        let shared = self.non_unique.then(|| "--non-unique".to_owned());
        ["--gid".to_owned(), gid.to_string()].into_iter().chain(shared).collect()
    }

    /// Makes a difference in its members disappear. Names that nobody has any more can stay, but only alone: all of them
    /// at once are refused.
    fn adjust(&self, members: &Delta<UserSet>, host: &Act<'_>) -> Result<()> {
        if stranger(&members.to, host)?.is_none() {
            return self.fill(&members.to, host);
        }
        let only = |here: &UserSet, there: &UserSet| -> Vec<String> {
            let others: BTreeSet<&str> = there.iter().collect();
            here.iter().filter(|name| !others.contains(name)).map(str::to_owned).collect()
        };
        for name in only(&members.from, &members.to) {
            self.run("take a member out of", "gpasswd", vec!["--delete".to_owned(), name], host)?;
        }
        for name in only(&members.to, &members.from) {
            self.run("add a member to", "gpasswd", vec!["--add".to_owned(), name], host)?;
        }
        Ok(())
    }

    /// Makes these its members, and nobody else.
    fn fill(&self, members: &UserSet, host: &Act<'_>) -> Result<()> {
        self.run("set the members of", "gpasswd", vec!["--members".to_owned(), members.joined()], host)
    }

    fn run(&self, what: &str, tool: &str, arguments: Vec<String>, host: &Act<'_>) -> Result<()> {
        let what = format!("{what} the group `{}`", self.name);
        tool::run(host, &what, &command(tool, arguments.into_iter().chain([self.name.clone()])))
    }
}

/// Somebody of these who has no account, neither here nor at a directory server.
fn stranger(users: &UserSet, host: &Reading<'_>) -> Result<Option<String>> {
    let passwd = database::passwd(host)?;
    let elsewhere = |name: &str| host.accounts().user(name).is_ok_and(|found| found.is_some());
    Ok(users.iter().find(|name| passwd.named(name).is_none() && !elsewhere(name)).map(str::to_owned))
}
