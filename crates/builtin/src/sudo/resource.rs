//! The kind `sudo`.

use std::path::{Path, PathBuf};

use uphold_kit::ownership::Ownership;
use uphold_kit::{parent, regular_file, tool};
use uphold_resource::{
    Act, Claim, Claiming, Claims, ErrorKind, Found, Interest, Look, Mode, NewFile, Previous, Reading,
    Resource, Result, Step, Want, Watching, Wish,
};

use super::rule::{self, ALL, Rule};

/// The directory of additional rules.
const DIRECTORY: &str = "/etc/sudoers.d";

/// A rule for `sudo`.
///
/// Manages a file in `/etc/sudoers.d`. A new file is checked with `visudo` before it is put in place, so that a
/// mistake cannot lock anybody out: if the check fails, nothing changes.
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
/// Alternatively, with the complete content of the file:
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
    /// Name of the file; defaults to the block's label.
    #[also("filename")]
    #[name]
    #[check(
        rule::is_file_name,
        "must contain only letters, digits, `_` and `-`, because `sudo` ignores files with a dot"
    )]
    pub name: String,
    /// Complete content of the file, instead of the other properties. The content that results from them is
    /// compared as a whole, too.
    #[also("template", "source")]
    pub content: Want<String>,
    /// Users that the rule applies to.
    #[also("user")]
    #[check(rule::are_names, "must be a list of names, one per string")]
    pub users: Option<Vec<String>>,
    /// Groups whose members the rule applies to.
    #[also("group")]
    #[check(rule::are_names, "must be a list of names, one per string")]
    pub groups: Option<Vec<String>>,
    /// Hosts on which the rule applies.
    #[also("host")]
    #[default(vec![ALL.to_owned()])]
    #[check(rule::are_names, "must be a list of names, one per string")]
    pub hosts: Vec<String>,
    /// Users, and after a colon groups, that the commands may be run as.
    #[also("runas")]
    #[default("ALL:ALL")]
    #[check(rule::is_run_as, "must be a user, or users and groups as in \"ALL:ALL\"")]
    pub run_as: String,
    /// Commands that may be run: absolute paths, optionally with arguments. Defaults to all commands.
    #[also("command")]
    #[check(
        rule::are_commands,
        "must be a list of commands, one per string; write a comma in a command as `\\\\,`"
    )]
    pub commands: Option<Vec<String>>,
    /// Do not ask for a password (`NOPASSWD`).
    #[default(false)]
    pub nopasswd: bool,
    /// Prevent the commands from running other programs (`NOEXEC`).
    #[default(false)]
    pub noexec: bool,
    /// Allow setting environment variables (`SETENV`).
    #[default(false)]
    pub setenv: bool,
    /// `Defaults` lines above the rule, without the word `Defaults`.
    #[check(rule::are_lines, "must be a list of settings, one per string")]
    pub defaults: Option<Vec<String>>,
    /// Mode of the file.
    #[enforce("0440")]
    pub mode: Want<Mode>,
    /// Owner and group of the file.
    #[flatten(
        state,
        enforce(owner = "root", group = "root"),
        doc(
            owner = "Owner of the file. `sudo` ignores files that do not belong to root.",
            group = "Group of the file."
        )
    )]
    pub ownership: Ownership,
}

impl Resource for Sudo {
    fn prepare(&self, look: &Look<'_>) -> Result<SudoWishes> {
        self.ownership.must_exist(look)?;
        let is_rule = self.users.is_some() || self.groups.is_some();
        let content = if is_rule { Wish::Set(self.rule()) } else { Wish::Declared };
        Ok(SudoWishes { content, ..SudoWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let path = self.path();
        let Some((entry, content)) = regular_file::read(&path, look)? else { return Ok(Found::Absent) };
        Ok(Found::This(SudoState {
            content: String::from_utf8_lossy(&content).into_owned(),
            mode: Mode::new(entry.mode),
            ownership: self.ownership.load(&entry, look)?,
        }))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path(), look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let (goal, same) = match step {
            Step::Create { goal } => (goal, false),
            Step::Update { goal, change, .. } => (goal, change.content.is_none()),
            Step::Remove { .. } => return host.edits().remove_file(&self.path()),
        };
        let access = goal.ownership.access(Some(goal.mode.bits()), host)?;
        if same {
            return uphold_resource::set_access(&self.path(), "a regular file", &access, host);
        }
        let content = goal.content.as_deref().unwrap_or_default().as_bytes();
        let verify = |candidate: &Path| self.verify(candidate, host);
        let file = NewFile { verify: Some(&verify), ..NewFile::new(content, access) };
        host.edits().write(&self.path(), &file)
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        Previous::without(&[
            "users", "groups", "hosts", "run_as", "commands", "nopasswd", "noexec", "setenv", "defaults",
        ])
    }
}

impl Claiming for Sudo {
    /// Only one resource may manage the file. It depends on `visudo`, and on its users and groups.
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

    /// The content that results from the properties.
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

    /// Checks the new file with `visudo`, because an invalid one would disable `sudo` for everybody.
    fn verify(&self, candidate: &Path, host: &Reading<'_>) -> Result<()> {
        let path = self.path();
        let command = tool::command("visudo", ["-c", "-f", &candidate.to_string_lossy()]);
        let output =
            tool::probe(&command, &format!("cannot check the sudo rules for {}", path.display()), host);
        let output = output.map_err(|error| match error.kind() {
            ErrorKind::Missing => error.hint("install sudo, for example with `package \"sudo\" {}`"),
            _ => error,
        })?;
        let refused = format!("verification of the new {} with visudo failed", path.display());
        let checked = tool::expect(output, &command, &refused);
        checked.map(drop).map_err(|error| error.hint("nothing was changed; fix the rule"))
    }
}
