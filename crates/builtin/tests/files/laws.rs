//! The laws of the file kinds, on a machine in memory.

use uphold_resource::{Access, Value};
use uphold_testkit::{MemoryHost, Subject, Wish, laws};

fn world(host: MemoryHost) -> MemoryHost {
    host.directory("/etc", 0o755).directory("/srv", 0o755).user("app", 1000).group("www", 33)
}

mod file {
    use super::*;
    use uphold_builtin::File;

    uphold_testkit::laws! {
        File,
        world: |host| {
            let host = world(host).file("/etc/there", "old", 0o640).owned("/etc/there", 1000, 33);
            let host = host.file("/srv/source", "from there", 0o600).pipe("/etc/pipe", 0o600);
            host.link("/etc/linked", "/srv")
        },
        wishes: [
            { "/etc/motd", content = "hello", mode = "0640" },
            { "/etc/motd", content = "other" },
            { "/etc/motd", mode = "u+x" },
            { "/etc/motd" },
            { "/etc/there", content = "new", backups = Value::Int(2), verify = "test -s {}" },
            { "/etc/there", mode = "0600" },
            { "/etc/copy", source = "/srv/source" },
            { "/etc/linked/motd", content = "below a link" },
            { "/etc/linked/copy", source = "/etc/linked/source" },
            { "/etc/new", content = "once", create_if_missing = true },
            { "/etc/pipe", content = "no pipe", force = true },
            { "/etc/pipe", mode = "0600", force = true },
        ],
        drift: [
            |host| host.tamper("/etc/motd", "x"),
            |host| host.tamper("/etc/there", "x"),
            |host| host.tamper("/srv/source", "x"),
            |host| host.tamper("/srv/motd", "x"),
            |host| host.delete("/etc/motd"),
            |host| host.change_access("/etc/there", Access { mode: Some(0o777), ..Access::default() }),
        ],
        side_effects: ["/etc/.there.uphold-backup-1"],
    }
}

mod directory {
    use super::*;
    use uphold_builtin::Directory;

    uphold_testkit::laws! {
        Directory,
        world: |host| {
            let host = world(host).directory("/etc/conf.d", 0o700).file("/etc/conf.d/stray", "", 0o644);
            host.file("/etc/conf.d/kept", "", 0o644).managing("/etc/conf.d/kept")
        },
        wishes: [
            { "/srv/app", mode = "0750" },
            { "/srv/app", owner = "app", group = "www" },
            { "/srv/app", mode = "1777", group = "www" },
            { "/srv/a/b/c", recursive = true, owner = "app" },
            { "/etc/conf.d", purge = true, recursive = true },
            { "/etc/conf.d", purge = Value::list([]), mode = "0755", recursive = true },
        ],
        drift: [
            |host| host.tamper("/etc/conf.d/new", "x"),
            |host| host.delete("/srv/app"),
            |host| host.delete("/srv/a"),
            |host| host.change_access("/srv/app", Access { mode: Some(0o700), ..Access::default() }),
        ],
        unreadable: ["purge"],
    }
}

mod link {
    use super::*;
    use uphold_builtin::Link;

    uphold_testkit::laws! {
        Link,
        world: |host| world(host).file("/etc/file", "", 0o644).link("/etc/there", "elsewhere"),
        wishes: [
            { "/etc/link", to = "/etc/motd" },
            { "/etc/link", to = "motd", owner = "app" },
            { "/etc/link", to = "../etc/motd", group = "www" },
            { "/etc/file", to = "motd" },
            { "/etc/there", to = "motd" },
        ],
        drift: [|host| {
            host.delete("/etc/link");
            host.tamper("/etc/link", "x");
        }],
    }
}

/// All laws that a subject breaks other than `known`.
pub(crate) fn broken_except(known: &str, subject: &Subject) -> Vec<String> {
    let broken = laws::broken_by(subject).into_iter().filter(|broken| broken.law != known);
    broken.map(|broken| broken.to_string()).collect()
}

/// A hard link does not store its target: without a declared one it cannot be read back.
#[test]
fn a_hard_link_keeps_all_laws_but_reading_back() {
    let subject = Subject::of::<uphold_builtin::Link>()
        .world(|host| world(host).file("/etc/file", "x", 0o644).file("/etc/other", "y", 0o600))
        .wish(Wish::named("/etc/hard").set("type", "hard").set("to", "/etc/file"))
        .wish(Wish::named("/etc/hard").set("type", "hard").set("to", "other"))
        .drift(|host| host.delete("/etc/hard"))
        .drift(|host| {
            host.delete("/etc/file");
            host.tamper("/etc/file", "another file");
        });
    assert_eq!(broken_except("load_returns_the_applied_values", &subject), [""; 0]);
}

/// A file is written again when its owner changes, even if its content is right.
#[test]
fn a_file_with_a_new_owner_keeps_all_laws_but_minimal_changes() {
    let subject = Subject::of::<uphold_builtin::File>()
        .world(|host| world(host).file("/etc/there", "old", 0o640).owned("/etc/there", 1000, 33))
        .wish(Wish::named("/etc/motd").set("content", "hello").set("mode", "0640"))
        .wish(Wish::named("/etc/motd").set("content", "other").set("owner", "app").set("group", "www"))
        .wish(Wish::named("/etc/motd").set("mode", "u+x").set("group", "www"))
        .wish(Wish::named("/etc/there").set("mode", "0600").set("owner", Value::Int(0)))
        .wish(Wish::named("/etc/there").set("content", "new").set("owner", "app"))
        .drift(|host| host.tamper("/etc/there", "x"));
    assert_eq!(broken_except("only_changed_properties_are_touched", &subject), [""; 0]);
}

/// `line` and `block` exclude each other, so there is never an unset property to keep.
#[test]
fn a_line_keeps_all_laws_but_unset_properties() {
    let named = || Wish::named("demo").set("file", "/etc/there");
    let subject = Subject::of::<uphold_builtin::Line>()
        .world(|host| world(host).file("/etc/there", "a\n#Port 1\nz", 0o640).owned("/etc/there", 1000, 33))
        .wish(named().set("match", "^#?Port ").set("line", "Port 22"))
        .wish(named().set("match", "^#?Port ").set("line", "Port 2222"))
        .wish(named().set("block", "x\ny"))
        .wish(named().set("block", "x\n").set("after", "^a"))
        .wish(named().set("file", "/etc/new").set("create", true).set("block", "x"))
        .drift(|host| host.tamper("/etc/there", "a"));
    assert_eq!(broken_except("an_unset_property_survives", &subject), [""; 0]);
}
