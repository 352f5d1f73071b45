//! Rules for `sudo`.

use std::path::{Path, PathBuf};

use uphold_resource::{
    Access, Act, Claim, Claiming, Claims, ErrorKind, GroupName, Interest, Mode, NewFile, Reading, Resource,
    Result, Step, UserName, Want, Watching,
};

use super::rule::{self, ALL, Rule};
use crate::{ownership, parent, regular_file, tool};

/// Where `sudo` looks for more rules.
const DIRECTORY: &str = "/etc/sudoers.d";

/// Who may do what with `sudo`.
///
/// It is a file in `/etc/sudoers.d`. A new one is checked by `visudo` before it is put in place, so that a mistake locks
/// nobody out: if `visudo` refuses it, nothing changes.
///
/// ```hcl
/// sudo "deploy" {
///   users    = ["root"]
///   run_as   = "root"
///   commands = ["/usr/bin/systemctl reload nginx", "/usr/sbin/nginx -t"]
///   nopasswd = true
/// }
/// ```
///
/// Or the file is given as a whole:
///
/// ```hcl
/// sudo "admins" {
///   content = "%adm ALL=(ALL:ALL) ALL\n"
/// }
/// ```
#[expect(clippy::duplicated_attributes, reason = "a property can be in several groups")]
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "sudo",
    also("sudoers", "sudo_rule"),
    any_of(content, users, groups),
    exclusive(content, users),
    exclusive(content, groups),
    exclusive(content, commands),
    exclusive(content, defaults),
    claims,
    interests
)]
pub struct Sudo {
    /// The name of the file; the block's label unless set.
    #[also("filename")]
    #[name]
    #[check(
        rule::is_file_name,
        "must be a name of letters, digits, `_` and `-`: `sudo` passes over files with a dot"
    )]
    pub name: String,
    /// The whole file. What `users` and the others say comes to this, too, and is compared as a whole.
    #[also("template", "source")]
    pub content: Want<String>,
    /// The users that may.
    #[also("user")]
    #[check(rule::are_names, "must be a list of names, one in each text")]
    pub users: Option<Vec<String>>,
    /// The groups whose members may.
    #[also("group")]
    #[check(rule::are_names, "must be a list of names, one in each text")]
    pub groups: Option<Vec<String>>,
    /// The machines on which they may.
    #[also("host")]
    #[default(vec![ALL.to_owned()])]
    #[check(rule::are_names, "must be a list of names, one in each text")]
    pub hosts: Vec<String>,
    /// As whom they may: users, and behind a colon groups.
    #[also("runas")]
    #[default("ALL:ALL")]
    #[check(rule::is_run_as, "must be a user, or users and groups as in \"ALL:ALL\"")]
    pub run_as: String,
    /// What they may run: whole paths, perhaps with arguments; everything unless set.
    #[also("command")]
    #[check(
        rule::are_commands,
        "must be a list of commands, one in each text; a comma in a command is written `\\\\,`"
    )]
    pub commands: Option<Vec<String>>,
    /// Whether they need no password.
    #[default(false)]
    pub nopasswd: bool,
    /// Whether what they run cannot run other programs.
    #[default(false)]
    pub noexec: bool,
    /// Whether they may set variables.
    #[default(false)]
    pub setenv: bool,
    /// Lines of `Defaults`, without that word, above the rule.
    #[check(rule::are_lines, "must be a list of settings, one in each text")]
    pub defaults: Option<Vec<String>>,
    /// Permission bits.
    #[enforce("0440")]
    pub mode: Want<Mode>,
    /// The file's owner. `sudo` passes over what is not root's.
    #[enforce("root")]
    pub owner: Want<UserName>,
    /// The file's group.
    #[enforce("root")]
    pub group: Want<GroupName>,
}

impl Resource for Sudo {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if self.users.is_some() || self.groups.is_some() {
            self.content = Want::Set(self.rule());
        }
        ownership::must_exist(&self.owner, &self.group, host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<SudoState>> {
        let path = self.path();
        let Some((entry, content)) = regular_file::read(&path, host)? else { return Ok(None) };
        Ok(Some(SudoState {
            content: String::from_utf8_lossy(&content).into_owned(),
            mode: Mode::new(entry.mode),
            owner: ownership::owner(entry.uid, &self.owner, host)?,
            group: ownership::group(entry.gid, &self.group, host)?,
        }))
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(&self.path(), host)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let (goal, same) = match step {
            Step::Create { goal } => (goal, false),
            Step::Update { goal, change, .. } => (goal, change.content.is_none()),
            Step::Remove { .. } => return host.edits().remove_file(&self.path()),
        };
        let access = Access {
            mode: Some(goal.mode.bits()),
            uid: Some(goal.owner.id(host)?),
            gid: Some(goal.group.id(host)?),
        };
        if same {
            return uphold_resource::set_access(&self.path(), "a regular file", &access, host);
        }
        let file = NewFile {
            content: goal.content.as_deref().unwrap_or_default().as_bytes(),
            access,
            verify: Some(&|candidate: &Path| self.verify(candidate, host)),
            replace_other: false,
        };
        host.edits().write(&self.path(), &file)
    }
}

impl Claiming for Sudo {
    /// It holds its file alone. `visudo` has to be there, and so should be those who may.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Path(self.path()));
        claims.declare_whole_content();
        claims.need(Claim::Path(DIRECTORY.into()));
        claims.need(Claim::Package("sudo".into()));
        let users = self.users.iter().flatten().map(|name| Claim::User(name.as_str().into()));
        let groups =
            self.groups.iter().flatten().map(|name| Claim::Group(name.trim_start_matches('%').into()));
        claims.needs.extend(users.chain(groups));
    }
}

impl Watching for Sudo {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(self.path()));
    }
}

impl Sudo {
    fn path(&self) -> PathBuf {
        Path::new(DIRECTORY).join(&self.name)
    }

    /// The file that the settings come to.
    fn rule(&self) -> String {
        let tags = [(self.nopasswd, "NOPASSWD:"), (self.noexec, "NOEXEC:"), (self.setenv, "SETENV:")];
        let everything = [ALL.to_owned()];
        let rule = Rule {
            users: self.users.as_deref().unwrap_or_default(),
            groups: self.groups.as_deref().unwrap_or_default(),
            hosts: &self.hosts,
            run_as: &self.run_as,
            commands: self.commands.as_deref().unwrap_or(&everything),
            tags: tags.into_iter().filter(|(given, _)| *given).map(|(_, tag)| tag).collect(),
            defaults: self.defaults.as_deref().unwrap_or_default(),
        };
        rule.text()
    }

    /// A broken file would keep everybody from using `sudo`.
    fn verify(&self, candidate: &Path, host: &Reading<'_>) -> Result<()> {
        let path = self.path();
        let command = tool::command("visudo", ["-c", "-f", &candidate.to_string_lossy()]);
        let output = tool::probe(&command, &format!("cannot check the rules of {}", path.display()), host);
        let output = output.map_err(|error| match error.kind() {
            ErrorKind::Missing => error.hint("install sudo: package \"sudo\" {}"),
            _ => error,
        })?;
        let refused = format!("visudo refuses the new {}", path.display());
        let checked = tool::expect(output, &command, &refused);
        checked.map(drop).map_err(|error| error.hint("nothing was changed; correct the rule"))
    }
}
