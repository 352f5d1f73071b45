//! The text of a rule, as in `sudoers(5)`.

use uphold_resource::Value;

/// The word for all users, hosts or commands.
pub(super) const ALL: &str = "ALL";

/// The parts of a rule.
pub(super) struct Rule<'a> {
    pub(super) users: &'a [String],
    pub(super) groups: &'a [String],
    pub(super) hosts: &'a [String],
    pub(super) run_as: &'a str,
    pub(super) commands: &'a [String],
    /// Tags with their colons, as in `NOPASSWD:`.
    pub(super) tags: Vec<&'static str>,
    pub(super) defaults: &'a [String],
}

impl Rule<'_> {
    /// The content of the file.
    pub(super) fn text(&self) -> String {
        let defaults: String = self.defaults.iter().map(|setting| format!("Defaults {setting}\n")).collect();
        let groups = self.groups.iter().map(|group| format!("%{}", group.trim_start_matches('%')));
        let who = self.users.iter().cloned().chain(groups).collect::<Vec<_>>().join(", ");
        let tags: String = self.tags.iter().map(|tag| format!("{tag} ")).collect();
        let (hosts, run_as, commands) = (self.hosts.join(", "), self.run_as, self.commands.join(", "));
        format!("# Managed by Uphold. Do not edit.\n{defaults}{who} {hosts}=({run_as}) {tags}{commands}\n")
    }
}

/// Whether `sudo` reads a file of this name: one with a dot or a `~` is ignored.
pub(super) fn is_file_name(value: &Value) -> bool {
    let fine = |c: char| c.is_ascii_alphanumeric() || "_-+@".contains(c);
    matches!(value, Value::Text(name) if !name.is_empty() && name.chars().all(fine))
}

/// Whether each string is one name.
pub(super) fn are_names(value: &Value) -> bool {
    let fine = |c: char| !c.is_whitespace() && !c.is_control() && !",:=()!\"".contains(c);
    each(value, |name| !name.is_empty() && name.chars().all(fine))
}

/// Whether each string is one command: an unescaped comma would begin another.
pub(super) fn are_commands(value: &Value) -> bool {
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
pub(super) fn are_lines(value: &Value) -> bool {
    each(value, |line| !line.trim().is_empty() && !line.contains(['\n', '\r']) && !line.ends_with('\\'))
}

/// Whether it is a list of users, optionally with groups after a colon.
pub(super) fn is_run_as(value: &Value) -> bool {
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
