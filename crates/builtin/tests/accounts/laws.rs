//! The laws of the account kinds.

use uphold_resource::Value;

use super::tools::{GROUP, PASSWD, SHADOW, equipped};

pub(crate) fn list(words: &[&str]) -> Value {
    Value::list(words.iter().map(|word| Value::text(*word)))
}

mod user {
    use super::*;
    use uphold_builtin::User;

    uphold_testkit::laws! {
        User,
        world: equipped,
        wishes: [
            {
                "ann", uid = Value::Int(1500), group = "users", groups = list(&["dev"]), comment = "Ann", home = "/srv/ann",
                shell = "/bin/bash", password = "$6$a$b", locked = true, expires = "2040-02-29",
                inactive = Value::Int(30), password_min_days = Value::Int(1), password_max_days = Value::Int(90),
                password_warn_days = Value::Null
            },
            { "ann", comment = "Other", uid = Value::Int(1600), group = Value::Int(200) },
            { "ann", groups = list(&["wheel"]) },
            { "ann", groups = list(&["wheel"]), membership = "exact" },
            { "ann", password = "$6$c$d", locked = false },
            { "ann", password = "*" },
            { "ann", expires = Value::Null, inactive = Value::Null, password_min_days = Value::Null },
            { "ann", shell = "/bin/zsh", home = "/srv/other" },
            { "bob" },
            { "bob", comment = "Bob" },
            { "old", locked = true },
            { "old", locked = false },
            { "old", locked = false, password = "$6$e$f" },
        ],
        drift: [
            |host| host.tamper(PASSWD, "root:x:0:0:root:/root:/bin/bash\n"),
            |host| host.tamper(SHADOW, ""),
            |host| host.tamper(GROUP, "root:x:0:\nusers:x:100:\ndev:x:200:\nwheel:x:201:\n"),
        ],
        side_effects: [GROUP, SHADOW],
    }
}

mod group {
    use super::*;
    use uphold_builtin::Group;

    uphold_testkit::laws! {
        Group,
        world: equipped,
        wishes: [
            { "ops", gid = Value::Int(1500), members = list(&["root", "old"]) },
            { "ops", gid = Value::Int(1600) },
            { "ops", members = list(&[]), membership = "exact" },
            { "dev", members = list(&["root"]) },
            { "dev", members = list(&["root"]), membership = "exact", gid = Value::Int(300) },
            { "mixed", excluded_members = list(&["old"]) },
            { "wheel" },
        ],
        drift: [
            |host| host.tamper(GROUP, "root:x:0:\nops:x:1:root\nwheel:x:201:\n"),
            |host| host.tamper(GROUP, "root:x:0:\nops:x:1500:\n"),
        ],
        unreadable: ["members"],
    }
}

mod authorized_key {
    use super::*;
    use uphold_builtin::AuthorizedKey;

    const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";
    const FILE: &str = "/home/ann/.ssh/authorized_keys";

    uphold_testkit::laws! {
        AuthorizedKey,
        world: |host| {
            let host = host.directory("/home", 0o755).directory("/home/ann", 0o755).user("ann", 1000).user("bob", 1001);
            let host = host.directory("/home/bob", 0o755).directory("/home/bob/.ssh", 0o755).directory("/etc", 0o755);
            host.file("/home/bob/.ssh/authorized_keys", format!("# mine\nno-pty ssh-rsa {KEY} b"), 0o640)
        },
        wishes: [
            { "a", user = "ann", key = KEY, comment = "ann", options = list(&["no-pty", "from=\"a,b\""]) },
            { "a", user = "ann", key = KEY, comment = "other" },
            { "a", user = "ann", key = KEY },
            { "b", user = Value::Int(1001), key = format!("ssh-ed25519 {KEY}"), comment = "bob" },
            { "b", user = Value::Int(1001), key = KEY, options = list(&[]) },
            { "c", user = "ann", key = KEY, file = "/etc/keys" },
        ],
        drift: [
            |host| host.delete(FILE),
            |host| host.tamper("/home/bob/.ssh/authorized_keys", ""),
            |host| host.tamper("/home/bob/.ssh/authorized_keys", format!("ssh-rsa {KEY} bob\n")),
            |host| host.delete("/home/ann/.ssh"),
        ],
    }
}

mod cron {
    use super::*;
    use uphold_builtin::Cron;

    fn variables(value: &str) -> Value {
        Value::map([("A", Value::text(value))])
    }

    uphold_testkit::laws! {
        Cron,
        world: |host| {
            let host = equipped(host).directory("/etc/cron.d", 0o755).user("ann", 1000);
            let host = host.directory("/var", 0o755).directory("/var/spool", 0o755).directory("/var/spool/cron", 0o755);
            let host = host.directory("/var/spool/cron/crontabs", 0o700);
            host.file("/var/spool/cron/crontabs/ann", "5 5 * * * mine\n", 0o600)
        },
        wishes: [
            { "a", user = "ann", minute = Value::Int(5), hour = "*/2", command = "echo a" },
            { "a", user = "ann", schedule = "@daily", command = "echo b", enabled = false },
            { "a", user = "ann", schedule = "@daily", command = "echo b" },
            { "b", schedule = "@reboot", command = "x" },
            { "c", file = "site", user = Value::Int(1000), schedule = "0 1 * * mon", command = "y" },
            { "c", file = "site", schedule = "0 1 * * mon", command = "y", environment = variables("b") },
            { "c", file = "site", schedule = "0 1 * * tue", command = "z", environment = variables(" b ") },
        ],
        drift: [
            |host| host.tamper("/var/spool/cron/crontabs/ann", ""),
            |host| host.delete("/var/spool/cron/crontabs/root"),
            |host| host.tamper("/etc/cron.d/site", "# uphold: c\n#0 1 * * mon root y\n"),
        ],
    }
}

mod sudo {
    use super::*;
    use uphold_builtin::Sudo;
    use uphold_resource::Access;

    uphold_testkit::laws! {
        Sudo,
        world: |host| equipped(host).directory("/etc/sudoers.d", 0o750),
        wishes: [
            { "a", users = list(&["ann"]), nopasswd = true },
            { "a", content = "root ALL=(ALL) ALL\n" },
            { "a", groups = list(&["adm"]), commands = list(&["/bin/ls"]), mode = "0400" },
        ],
        drift: [
            |host| host.tamper("/etc/sudoers.d/a", ""),
            |host| host.delete("/etc/sudoers.d/a"),
            |host| host.change_access("/etc/sudoers.d/a", Access { mode: Some(0o644), ..Access::default() }),
            |host| host.change_access("/etc/sudoers.d/a", Access { uid: Some(7), ..Access::default() }),
            |host| host.change_access("/etc/sudoers.d/a", Access { gid: Some(7), ..Access::default() }),
        ],
    }
}
