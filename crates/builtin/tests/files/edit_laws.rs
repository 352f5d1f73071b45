//! The laws of the kinds that edit part of a file, on a machine in memory.

use uphold_builtin::{HostsEntry, Ini, JsonEdit, SshKnownHost, TomlEdit, YamlEdit};
use uphold_resource::Value;
use uphold_testkit::MemoryHost;

fn world(host: MemoryHost) -> MemoryHost {
    host.directory("/etc", 0o755).directory("/etc/ssh", 0o755)
}

mod json_edit {
    use super::*;

    uphold_testkit::laws! {
        JsonEdit,
        world: |host| world(host).file("/etc/a.json", "{\n  \"a\": {\"b\": 1}, // why\n  \"l\": [1]\n}\n", 0o640),
        wishes: [
            { "x", file = "/etc/a.json", key = "a.b", value = 2 },
            { "x", file = "/etc/a.json", key = "a.b", value = Value::map([("c", Value::Null)]) },
            { "x", file = "/etc/a.json", key = "a.new", value = "text" },
            { "x", file = "/etc/a.json", key = "l[1]", value = true },
            { "x", file = "/etc/new.json", key = Value::list(["a.b".into()]), value = 2, create = true },
        ],
        drift: [
            |host| host.tamper("/etc/a.json", "{\"a\": {\"b\": 7}, \"l\": [1]}"),
            |host| host.delete("/etc/new.json"),
        ],
    }
}

mod yaml_edit {
    use super::*;

    uphold_testkit::laws! {
        YamlEdit,
        world: |host| world(host).file("/etc/a.yaml", "a:\n  b: 1 # why\nl: [1]\n---\na: 2\n", 0o640),
        wishes: [
            { "x", file = "/etc/a.yaml", document = 0, key = "a.b", value = 2 },
            { "x", file = "/etc/a.yaml", document = 0, key = "a.b", value = Value::list(["x".into()]) },
            { "x", file = "/etc/a.yaml", document = 1, key = "a", value = "yes" },
            { "x", file = "/etc/a.yaml", document = 0, key = "l[1]", value = Value::Null },
            { "x", file = "/etc/new.yaml", key = "a.b", value = 2, create = true },
        ],
        drift: [|host| host.tamper("/etc/a.yaml", "a: {b: 9}\nl: [1]\n---\na: 3\n"), |host| host.delete("/etc/new.yaml")],
    }
}

mod toml_edit {
    use super::*;

    uphold_testkit::laws! {
        TomlEdit,
        world: |host| world(host).file("/etc/a.toml", "l = [1]\n\n[a]\nb = 1 # why\n", 0o640),
        wishes: [
            { "x", file = "/etc/a.toml", key = "a.b", value = 2 },
            { "x", file = "/etc/a.toml", key = "a.b", value = Value::list(["x".into()]) },
            { "x", file = "/etc/a.toml", key = "l[1]", value = 3 },
            { "x", file = "/etc/new.toml", key = "a.b", value = 2, create = true },
        ],
        drift: [|host| host.tamper("/etc/a.toml", "a = { b = 9 }\nl = [1]\n"), |host| host.delete("/etc/new.toml")],
    }
}

mod ini {
    use super::*;

    uphold_testkit::laws! {
        Ini,
        world: |host| world(host).file("/etc/a.ini", "top=1\n# why\n[s]\nk = 1\n", 0o640),
        wishes: [
            { "x", file = "/etc/a.ini", section = "s", key = "k", value = 2 },
            { "x", file = "/etc/a.ini", section = "s", key = "k", value = Value::list(["a".into(), "b".into()]) },
            { "x", file = "/etc/a.ini", section = "s", key = "k", value = Value::Null },
            { "x", file = "/etc/a.ini", key = "top", value = "" },
            { "x", file = "/etc/new.ini", section = "s", key = "k", value = true, separator = "=", create = true },
        ],
        drift: [|host| host.tamper("/etc/a.ini", "[s]\nk = 9\n"), |host| host.delete("/etc/new.ini")],
    }
}

mod hosts_entry {
    use super::*;

    uphold_testkit::laws! {
        HostsEntry,
        world: |host| world(host).file("/etc/hosts", "127.0.0.1 localhost\n10.0.0.9\tdb x # old\n", 0o644),
        wishes: [
            { "db", ip = "10.0.0.1" },
            { "db", ip = "10.0.0.2", aliases = Value::list(["b".into(), "a".into()]), comment = "why" },
            { "db", ip = "10.0.0.2", aliases = Value::list([]), comment = "" },
            { "new", ip = "2001:db8::1", aliases = Value::list(["n".into()]), file = "/etc/hosts2" },
        ],
        drift: [
            |host| host.tamper("/etc/hosts", "10.9.9.9 db\n"),
            |host| host.tamper("/etc/hosts2", "2001:db8::2 new n\n"),
        ],
    }
}

pub(crate) const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIISuksGi8IZJKdQjbVjxRyhk0/sR+ttQ3RJ96GMbYr7u";
pub(crate) const OTHER_KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIMz8fQVpydkE2A3bFGiG/5vGTSDulPTRYunlTrxPD1fh";

mod ssh_known_host {
    use super::*;

    uphold_testkit::laws! {
        SshKnownHost,
        world: |host| {
            let known = format!("# why\nold,git ssh-ed25519 {OTHER_KEY} me\n");
            world(host).file("/etc/ssh/ssh_known_hosts", known, 0o644)
        },
        wishes: [
            { "git", key = KEY },
            { "git", key = OTHER_KEY, aliases = Value::list(["a".into()]) },
            { "git", key = KEY, aliases = Value::list([]), hashed = false },
            { "secret", key = KEY, hashed = true },
            { "secret", key = OTHER_KEY, hashed = true },
            { "odd", key = format!("ssh-ed25519 {KEY}"), port = 2222, aliases = Value::list(["b".into()]) },
            { "ca", key = KEY, marker = "cert-authority", file = "/etc/known" },
        ],
        drift: [
            |host| host.tamper("/etc/ssh/ssh_known_hosts", format!("git ssh-ed25519 {OTHER_KEY}\n")),
            |host| host.tamper("/etc/known", "x"),
        ],
    }
}
