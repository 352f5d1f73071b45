//! The kind `sudo`.

use std::path::{Path, PathBuf};

use uphold_kit::ownership::Ownership;
use uphold_kit::{parent, regular_file, tool};
use uphold_resource::{
    Act, Claim, Claiming, Claims, ErrorKind, Found, Interest, Look, Mode, NewFile, Previous, Reading,
    Resource, Result, Step, Value, Want, Watching, Wish,
};

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
        is_file_name,
        "must contain only letters, digits, `_` and `-`, because `sudo` ignores files with a dot"
    )]
    pub name: String,
    /// Complete content of the file, instead of the other properties. The content that results from them is
    /// compared as a whole, too.
    #[also("template", "source")]
    pub content: Want<String>,
    /// Users that the rule applies to.
    #[also("user")]
    #[check(are_names, "must be a list of names, one per string")]
    pub users: Option<Vec<String>>,
    /// Groups whose members the rule applies to.
    #[also("group")]
    #[check(are_names, "must be a list of names, one per string")]
    pub groups: Option<Vec<String>>,
    /// Hosts on which the rule applies.
    #[also("host")]
    #[default(vec![ALL.to_owned()])]
    #[check(are_names, "must be a list of names, one per string")]
    pub hosts: Vec<String>,
    /// Users, and after a colon groups, that the commands may be run as.
    #[also("runas")]
    #[default("ALL:ALL")]
    #[check(is_run_as, "must be a user, or users and groups as in \"ALL:ALL\"")]
    pub run_as: String,
    /// Commands that may be run: absolute paths, optionally with arguments. Defaults to all commands.
    #[also("command")]
    #[check(
        are_commands,
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
    #[check(are_lines, "must be a list of settings, one per string")]
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

// The text of a rule, as in `sudoers(5)`.

/// The word for all users, hosts or commands.
const ALL: &str = "ALL";

/// The parts of a rule.
struct Rule<'a> {
    users: &'a [String],
    groups: &'a [String],
    hosts: &'a [String],
    run_as: &'a str,
    commands: &'a [String],
    /// Tags with their colons, as in `NOPASSWD:`.
    tags: Vec<&'static str>,
    defaults: &'a [String],
}

impl Rule<'_> {
    /// The content of the file.
    fn text(&self) -> String {
        let defaults: String = self.defaults.iter().map(|setting| format!("Defaults {setting}\n")).collect();
        let groups = self.groups.iter().map(|group| format!("%{}", group.trim_start_matches('%')));
        let who = self.users.iter().cloned().chain(groups).collect::<Vec<_>>().join(", ");
        let tags: String = self.tags.iter().map(|tag| format!("{tag} ")).collect();
        let (hosts, run_as, commands) = (self.hosts.join(", "), self.run_as, self.commands.join(", "));
        format!("# Managed by Uphold. Do not edit.\n{defaults}{who} {hosts}=({run_as}) {tags}{commands}\n")
    }
}

/// Whether `sudo` reads a file of this name: one with a dot or a `~` is ignored.
fn is_file_name(value: &Value) -> bool {
    let fine = |c: char| c.is_ascii_alphanumeric() || "_-+@".contains(c);
    matches!(value, Value::Text(name) if !name.is_empty() && name.chars().all(fine))
}

/// Whether each string is one name.
fn are_names(value: &Value) -> bool {
    let fine = |c: char| !c.is_whitespace() && !c.is_control() && !",:=()!\"".contains(c);
    each(value, |name| !name.is_empty() && name.chars().all(fine))
}

/// Whether each string is one command: an unescaped comma would begin another.
fn are_commands(value: &Value) -> bool {
    each(value, |command| {
        let (mut escaped, mut single) = (false, true);
        for c in command.chars() {
            single &= escaped || (c != ',' && c != '\n' && c != '\r');
            escaped = c == '\\' && !escaped;
        }
        single && !escaped && !command.trim().is_empty() && !command.contains('\n')
    })
}

/// Whether each string is one line.
fn are_lines(value: &Value) -> bool {
    each(value, |line| !line.trim().is_empty() && !line.contains(['\n', '\r']) && !line.ends_with('\\'))
}

/// Whether it is a list of users, optionally with groups after a colon.
fn is_run_as(value: &Value) -> bool {
    let fine = |c: char| !c.is_control() && !"()=\n".contains(c);
    matches!(value, Value::Text(text) if !text.trim().is_empty() && text.chars().all(fine))
}

fn each(value: &Value, fine: impl Fn(&str) -> bool) -> bool {
    let Value::List(items) = value else { return false };
    !items.is_empty() && items.iter().all(|item| matches!(item, Value::Text(text) if fine(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_rules() {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (users, groups, all) = (owned(&["ann"]), owned(&["admin", "%ops"]), owned(&[ALL]));
        let (commands, defaults) = (owned(&["/bin/a x", "/bin/b"]), owned(&["!requiretty"]));
        let rule = Rule {
            users: &users,
            groups: &groups,
            hosts: &all,
            run_as: "root:root",
            commands: &commands,
            tags: vec!["NOPASSWD:", "NOEXEC:"],
            defaults: &defaults,
        };
        let expected = "# Managed by Uphold. Do not edit.\nDefaults !requiretty\nann, %admin, %ops ALL=(root:root) NOPASSWD: NOEXEC: /bin/a x, /bin/b\n";
        assert_eq!(rule.text(), expected);
    }

    #[test]
    fn checks_names_and_commands() {
        let check = |good: fn(&Value) -> bool, text: &str, expected: bool| {
            assert_eq!(good(&Value::list([Value::text(text)])), expected, "{text}");
        };
        check(are_names, "ann", true);
        check(are_names, "ann, bob", false);
        check(are_names, "ann ALL=(ALL) ALL", false);
        check(are_names, "", false);
        check(are_commands, "/bin/a x", true);
        check(are_commands, r"/bin/a x\,y", true);
        check(are_commands, "/bin/a, /bin/b", false);
        check(are_commands, r"/bin/a x\\,y", false);
        check(are_commands, "/bin/a\nann ALL", false);
        check(are_commands, "/bin/a\\\nx", false);
        check(are_commands, "/bin/a\\", false);
        check(are_lines, "env_reset", true);
        check(are_lines, "a\\", false);
        check(are_lines, "a\nb", false);
    }

    #[test]
    fn checks_file_names() {
        let check =
            |name: &str, expected: bool| assert_eq!(is_file_name(&Value::text(name)), expected, "{name}");
        check("10-ann", true);
        check("ann.conf", false);
        check("ann~", false);
        check("a/b", false);
        check("", false);
    }
}
