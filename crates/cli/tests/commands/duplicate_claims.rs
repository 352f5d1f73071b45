//! Two resources that manage the same thing are refused, because they would undo each other's work in every run.

use std::fs;
use std::os::unix::fs::symlink;

use super::sandbox::Sandbox;

const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";

/// Checks the error for two resources `a` and `b` of a kind with these properties: the thing that both manage, if any.
#[track_caller]
fn check(kind: &str, a: &str, b: &str, held: Option<&str>) {
    let block =
        |label: &str, inside: &str| format!("{kind} \"{label}\" {{\n{}\n}}\n", inside.replace("; ", "\n"));
    let sandbox = Sandbox::with(block("a", a) + &block("b", b));
    let ran = sandbox.rooted(&["validate", "site.hcl"]);
    let expected = held.map(|held| format!("{kind}.a and {kind}.b both manage {held}\n"));
    match expected {
        Some(expected) => assert!(ran.stderr.contains(&expected), "{expected}\n{}", ran.stderr),
        None => assert_eq!(ran.stderr, "", "{kind}"),
    }
}

#[test]
fn entries_of_one_name_are_refused() {
    let job = "name = \"x\"; schedule = \"@daily\"; command = \"y\"";
    check("cron", job, job, Some("the entry `x` in crontab of root"));
    let shared = format!("{job}; file = \"site\"");
    check("cron", &shared, &shared, Some("the entry `x` in path /etc/cron.d/site"));
    check("cron", job, &shared, None);
    check("cron", job, &format!("{job}; user = \"daemon\""), None);
    let host = |ip: &str| format!("name = \"db\"; ip = \"{ip}\"");
    check("hosts_entry", &host("10.0.0.1"), &host("10.0.0.2"), Some("the IPv4 address of db in /etc/hosts"));
    check("hosts_entry", &host("10.0.0.1"), &host("::1"), None);
}

#[test]
fn one_key_of_one_user_can_be_declared_once() {
    let key = |user: &str, rest: &str| format!("user = \"{user}\"; key = \"{KEY}{rest}\"");
    let held = "the key SHA256:EMZE0+0j1zyyade/ZjgIY0FJMPgk2TynOCjeWtcSEnA in keys of root";
    check("authorized_key", &key("root", ""), &key("root", " ann@laptop"), Some(held));
    check("authorized_key", &key("root", ""), &key("daemon", ""), None);
}

#[test]
fn one_account_mount_or_setting_can_be_declared_once() {
    let name = "name = \"ann\"";
    check("user", name, name, Some("user ann"));
    let mount = |device: &str| format!("point = \"/srv\"; device = \"{device}\"; fstype = \"ext4\"");
    check("mount", &mount("/dev/sda"), &mount("/dev/sdb"), Some("mount point /srv"));
    let setting = |value: u8| format!("key = \"net.ipv4.ip_forward\"; persistent = {value}");
    check("sysctl", &setting(0), &setting(1), Some("kernel setting net.ipv4.ip_forward"));
}

#[test]
fn a_unit_has_many_drop_ins_of_different_names() {
    let unit = |drop_in: &str| {
        format!("name = \"web.service\"; drop_in = \"{drop_in}.conf\"; content = \"[Service]\\n\"")
    };
    check("systemd_unit", &unit("x"), &unit("y"), None);
    let held = "path /etc/systemd/system/web.service.d/x.conf";
    check("systemd_unit", &unit("x"), &unit("x"), Some(held));
}

#[test]
fn a_directory_may_say_more_about_a_mount_point() {
    let mount = "mount \"/srv\" {\n  device = \"/dev/sda\"\n  fstype = \"ext4\"\n}\n";
    let sandbox = Sandbox::with(format!("{mount}directory \"/srv\" {{ mode = \"0700\" }}\n"));
    assert_eq!(sandbox.rooted(&["validate", "site.hcl"]).stderr, "");
}

#[test]
fn two_resources_with_several_common_paths_get_one_error() {
    let sandbox = Sandbox::with("timezone \"UTC\" {}\ntimezone \"Europe/Vienna\" {}\n");
    let message = sandbox.rooted(&["validate", "site.hcl"]).stderr;
    assert_eq!(message.matches("both manage").count(), 1, "{message}");
    assert!(message.contains("both manage the time zone\n"), "{message}");
}

/// There is one block, so removing one of two is no way out.
#[test]
fn instances_of_one_block_are_told_apart() {
    let check = |configuration: &str, module: &str| {
        let sandbox = Sandbox::with(configuration);
        fs::create_dir(sandbox.path("web")).expect("a folder for the module");
        sandbox.write("web/main.hcl", module);
        let printed = sandbox.rooted(&["validate", "site.hcl"]).stderr;
        assert!(printed.contains("both manage path /srv/www"), "{printed}");
        assert!(printed.contains("help: it is one block of several instances: use `each.key`"), "{printed}");
    };
    let call = |name: &str| format!("module \"{name}\" {{ source = \"./web\" }}\n");
    check(&(call("shop") + &call("blog")), "directory \"/srv/www\" {}\n");
    check("directory \"d\" {\n  for_each = [\"a\", \"b\"]\n  path = \"/srv/www\"\n}\n", "");
}

/// A machine with `/etc/a`, and links to it.
fn linked(configuration: &str) -> Sandbox {
    let sandbox = Sandbox::with(configuration);
    fs::create_dir_all(sandbox.path("root/etc/a")).expect("a directory");
    for link in ["link", "other"] {
        symlink("a", sandbox.path("root/etc").join(link)).expect("a link to it");
    }
    sandbox
}

fn file(path: &str, content: &str) -> String {
    format!("file \"{path}\" {{ content = \"{content}\\n\" }}\n")
}

/// The check of a configuration cannot know links: the change is refused, so that the two do not alternate for ever.
#[test]
fn one_file_with_two_names_is_changed_by_one_resource() {
    let sandbox = linked(&(file("/etc/link/x", "two") + &file("/etc/a/x", "one")));
    let refused = "/etc/link/x is /etc/a/x, which file[\"/etc/a/x\"] manages, too";
    for _ in 0..2 {
        for command in ["plan", "apply"] {
            let ran = sandbox.rooted(&[command, "site.hcl"]);
            assert_eq!(ran.code, Some(1), "{command}: {}", ran.stdout);
            assert!(ran.stderr.contains(refused), "{command}: {}", ran.stderr);
        }
        assert_eq!(sandbox.read("root/etc/a/x"), "one\n");
    }
    let both = linked(&(file("/etc/link/x", "one") + &file("/etc/other/x", "two")));
    let ran = both.rooted(&["apply", "site.hcl"]);
    assert!(
        ran.stderr.contains("/etc/other/x is /etc/a/x, which file[\"/etc/link/x\"] manages, too"),
        "{}",
        ran.stderr
    );
    assert_eq!(both.read("root/etc/a/x"), "one\n");
}

#[test]
fn a_file_and_an_edit_of_it_by_another_name_are_told_apart() {
    let line = |path: &str| format!("line \"greeting\" {{\n  file = \"{path}\"\n  line = \"two\"\n}}\n");
    for [whole, edited] in [["/etc/a/x", "/etc/link/x"], ["/etc/link/x", "/etc/a/x"]] {
        let sandbox = linked(&(file(whole, "one") + &line(edited)));
        let ran = sandbox.rooted(&["apply", "site.hcl"]);
        assert_eq!(ran.code, Some(1), "{whole}: {}", ran.stdout);
        assert!(ran.stderr.contains("/etc/link/x is /etc/a/x, which "), "{whole}: {}", ran.stderr);
    }
    // Several edits of one file do not contradict each other, and neither do equal declarations.
    let edits = line("/etc/a/x") + &line("/etc/link/x").replace("greeting", "b").replace("two", "three");
    let sandbox = linked(&edits);
    sandbox.write("root/etc/a/x", "one\n");
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    assert_eq!(sandbox.read("root/etc/a/x"), "one\ntwo\nthree\n");
    let sandbox = linked(&(file("/etc/link/x", "one") + &file("/etc/link/y", "one")));
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
}
