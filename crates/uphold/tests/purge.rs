//! A purge of a directory leaves alone what belongs to other resources, whatever their kind.

use std::collections::BTreeSet;
use std::path::Path;

use uphold::model::{Side, Value};
use uphold::{Configuration, Engine, EventKind, Mode, Verdict};
use uphold_memory::MemoryHost;

/// Kinds to which no path belongs.
const WITHOUT_PATHS: [&str; 13] = [
    "assert",
    "firewall",
    "group",
    "http_request",
    "log",
    "network_link",
    "package",
    "query",
    "route",
    "timer",
    "wait_file",
    "wait_port",
    "wait_query",
];

/// One resource of each other kind, and paths that belong to it. A path that ends in `/` is a directory with something
/// inside; `PATH -> TARGET` is a link.
const WITH_PATHS: [(&str, &str, &str, &[&str]); 36] = [
    ("apt_key", "x", r#"source = "/etc/os""#, &["/etc/apt/keyrings/x.asc"]),
    (
        "apt_repository",
        "x",
        r#"uris = ["http://example.org"]; suites = ["stable"]"#,
        &["/etc/apt/sources.list.d/x.sources"],
    ),
    ("apt_update", "daily", r#""#, &["/var/lib/apt/lists/"]),
    ("archive", "/opt/app", r#"source = "/srv/app.tar""#, &["/opt/app/"]),
    (
        "authorized_key",
        "k",
        r#"user = "ann"; key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a""#,
        &["/home/ann/.ssh/authorized_keys"],
    ),
    (
        "certificate",
        "/etc/ssl/a.crt",
        r#"key = "/etc/ssl/private/a.key"; common_name = "a""#,
        &["/etc/ssl/a.crt", "/etc/ssl/private/a.key"],
    ),
    (
        "cron",
        "job",
        r#"schedule = "@daily"; command = "true"; user = "ann""#,
        &["/var/spool/cron/crontabs/ann"],
    ),
    ("directory", "/srv/kept", r#"purge = false"#, &["/srv/kept/"]),
    (
        "download",
        "/opt/x",
        r#"url = "https://example.org/x""#,
        &["/opt/x", "/opt/.x.uphold-origin", "/opt/.x.uphold-partial"],
    ),
    ("file", "/etc/x", r#"content = "y"; backups = 1"#, &["/etc/x", "/etc/.x.uphold-backup-1"]),
    ("filesystem", "/srv/disk.img", r#"fstype = "ext4""#, &["/srv/disk.img"]),
    ("git", "/srv/site", r#"repository = "https://example.org/x.git""#, &["/srv/site/"]),
    ("gzip", "/srv/x.gz", r#"source = "/etc/os""#, &["/srv/x.gz"]),
    ("hostname", "web", r#""#, &["/etc/hostname", "/etc/hosts", "/etc/machine-info"]),
    ("hosts_entry", "db", r#"ip = "10.0.0.1""#, &["/etc/hosts"]),
    ("ini", "x", r#"file = "/etc/x.ini"; key = "a"; value = "b""#, &["/etc/x.ini"]),
    ("json_edit", "x", r#"file = "/etc/x.json"; key = "a"; value = 1"#, &["/etc/x.json"]),
    ("kernel_module", "x", r#"persistent = true"#, &["/etc/modules-load.d/x.conf", "/etc/modprobe.d/x.conf"]),
    ("line", "x", r#"file = "/etc/x.conf"; line = "a""#, &["/etc/x.conf"]),
    ("link", "/etc/l", r#"to = "/etc/os""#, &["/etc/l -> /etc/os"]),
    ("locale", "de_DE.UTF-8", r#""#, &["/etc/default/locale", "/etc/locale.conf", "/usr/lib/locale/"]),
    ("mount", "/mnt/data", r#"device = "/dev/sdb1"; fstype = "ext4""#, &["/mnt/data/", "/etc/fstab"]),
    (
        "password",
        "db",
        r#"keepers = { a = "b" }"#,
        &["/var/lib/uphold/passwords/db", "/var/lib/uphold/passwords/db.keepers"],
    ),
    (
        "service",
        "web",
        r#"enabled = true"#,
        &[
            "/etc/systemd/system/multi-user.target.wants/web.service -> /lib/systemd/system/web.service",
            "/etc/systemd/system/www.service -> /lib/systemd/system/web.service",
            "/etc/systemd/system/web.service -> /dev/null",
            "/etc/rc2.d/S01web -> ../init.d/web",
            "/etc/service/web -> /etc/sv/web",
        ],
    ),
    (
        "ssh_known_host",
        "h",
        r#"key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a""#,
        &["/etc/ssh/ssh_known_hosts"],
    ),
    ("sudo", "ops", r#"users = ["ann"]"#, &["/etc/sudoers.d/ops"]),
    ("swap", "/srv/swapfile", r#"size = "1MiB""#, &["/srv/swapfile", "/etc/fstab"]),
    ("sysctl", "vm.swappiness", r#"persistent = 10"#, &["/etc/sysctl.d/99-uphold-vm.swappiness.conf"]),
    (
        "systemd_timer",
        "x",
        r#"on_calendar = "daily"; command = "/bin/true""#,
        &[
            "/etc/systemd/system/x.timer",
            "/etc/systemd/system/x.service",
            "/etc/systemd/system/timers.target.wants/x.timer -> /etc/systemd/system/x.timer",
        ],
    ),
    (
        "systemd_unit",
        "x.service",
        r#"content = "[Service]""#,
        &[
            "/etc/systemd/system/x.service",
            "/etc/systemd/system/multi-user.target.wants/x.service -> /etc/systemd/system/x.service",
        ],
    ),
    ("tar", "/srv/x.tar", r#"inputs = ["/etc/os"]"#, &["/srv/x.tar"]),
    ("task", "x", r#"creates = "/opt/built"; apply = "make""#, &["/opt/built"]),
    (
        "timezone",
        "Europe/Berlin",
        r#""#,
        &["/etc/localtime -> /usr/share/zoneinfo/Europe/Berlin", "/etc/timezone"],
    ),
    ("toml_edit", "x", r#"file = "/etc/x.toml"; key = "a"; value = 1"#, &["/etc/x.toml"]),
    ("user", "ann", r#""#, &["/home/ann/", "/var/mail/ann"]),
    ("yaml_edit", "x", r#"file = "/etc/x.yaml"; key = "a"; value = 1"#, &["/etc/x.yaml"]),
];

#[test]
fn every_kind_is_registered() {
    let with_paths = WITH_PATHS.iter().map(|(kind, ..)| *kind);
    let known: BTreeSet<&str> = with_paths.chain(WITHOUT_PATHS).collect();
    let registry = uphold::kinds();
    let registered: BTreeSet<&str> = registry.iter().map(|kind| kind.schema().kind).collect();
    assert_eq!(known, registered);
}

#[test]
fn a_purge_keeps_the_files_of_declared_resources() {
    let mut wrong = Vec::new();
    for (kind, label, inside, paths) in WITH_PATHS {
        let block = format!("{kind} {label:?} {{\n{}\n}}\n", inside.replace("; ", "\n"));
        for path in paths {
            let gone = gone_beside(&block, path);
            if gone != ["stranger"] {
                wrong.push(format!("{kind}, {path}: {gone:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What a purge of its parent would remove if this path is there, and a stranger.
fn gone_beside(block: &str, path: &str) -> Vec<String> {
    let (path, target) = path.split_once(" -> ").map_or((path, None), |(path, to)| (path, Some(to)));
    let (path, is_directory) = path.strip_suffix('/').map_or((path, false), |path| (path, true));
    let parent = Path::new(path).parent().expect("a path in a directory");
    let host = with_parents(machine(), parent);
    let host = match target {
        Some(target) => host.link(path, target),
        None if is_directory => host.directory(path, 0o755).file(format!("{path}/inside"), "", 0o644),
        None => host.file(path, "", 0o644),
    };
    let host = host.file(parent.join("stranger"), "", 0o644);
    let purged = format!("{block}directory \"purged\" {{\n path = {parent:?}\n purge = true\n}}\n");
    purged_from(&purged, host)
}

fn machine() -> MemoryHost {
    ["/home", "/root"]
        .iter()
        .fold(MemoryHost::new(), |host, path| with_parents(host, Path::new(path)))
        .user("root", 0)
        .user("ann", 1000)
}

fn with_parents(host: MemoryHost, path: &Path) -> MemoryHost {
    let mut missing: Vec<&Path> = path
        .ancestors()
        .filter(|path| host.act().files().look(path).is_ok_and(|found| found.is_none()))
        .collect();
    missing.reverse();
    missing.into_iter().fold(host, |host, path| host.directory(path, 0o755))
}

/// What a plan of this configuration would remove from the directory `purged`.
fn purged_from(configuration: &str, host: MemoryHost) -> Vec<String> {
    let engine = Engine::on(host).build();
    let read = Configuration::from_text(&engine, "site.hcl", configuration).expect("a configuration");
    let checked = match read.check() {
        Ok(checked) => checked,
        Err(rejected) => return vec![rejected.to_string()],
    };
    let mut gone = Vec::new();
    checked.run(Mode::Plan, &mut |event| {
        let EventKind::Finished { resource, verdict, .. } = &event.kind else { return };
        if &*resource.kind != "directory" || &**resource.label() != "purged" {
            return;
        }
        let Verdict::WouldChange(change) = verdict else {
            gone.push(format!("{verdict:?}"));
            return;
        };
        for difference in change.differences.iter().filter(|difference| &*difference.property == "purge") {
            if let Side::Value(Value::List(names)) = &difference.from {
                gone.extend(names.iter().filter_map(|name| match name {
                    Value::Text(name) => Some(name.to_string()),
                    _ => None,
                }));
            }
        }
    });
    gone
}

#[test]
fn a_declared_directory_is_purged_by_its_parent() {
    let host = || {
        let host = ["/srv/app", "/srv/app/d", "/srv/app/own"]
            .iter()
            .fold(machine(), |host, path| with_parents(host, Path::new(path)));
        host.file("/srv/app/d/extra", "", 0o644).file("/srv/app/own/extra", "", 0o644)
    };
    let configuration = r#"
        directory "purged" {
          path  = "/srv/app"
          purge = true
        }
        directory "/srv/app/d" {}
        directory "/srv/app/own" {
          purge = false
        }
    "#;
    assert_eq!(purged_from(configuration, host()), ["d/extra"]);
}

#[test]
fn a_home_directory_elsewhere_is_found_by_the_account() {
    let host = with_parents(machine(), Path::new("/srv/people/bob/.ssh"))
        .file("/srv/people/bob/.ssh/authorized_keys", "", 0o600)
        .file("/srv/people/stranger", "", 0o644);
    let home = "/srv/people/bob".into();
    host.put_user(uphold::resource::User {
        name: "bob".into(),
        uid: 1001,
        gid: 100,
        home,
        shell: "/bin/sh".into(),
    });
    let purge = "directory \"purged\" {\n path = \"/srv/people\"\n purge = true\n}\n";
    assert_eq!(purged_from(&format!("{purge}user \"bob\" {{}}\n"), host), ["stranger"]);
}

#[test]
fn nothing_is_purged_while_a_path_is_unknown() {
    let host = with_parents(machine(), Path::new("/srv")).file("/srv/stranger", "", 0o644);
    let configuration = r#"
        directory "purged" {
          path  = "/srv"
          mode  = "0700"
          purge = true
        }
        query "who" {
          query = "whoami"
        }
        sudo "ops" {
          users = [query.who.value]
        }
    "#;
    assert_eq!(purged_from(configuration, host), Vec::<String>::new());
}

#[test]
fn a_purge_keeps_a_home_directory_behind_a_link() {
    let host = with_parents(MemoryHost::new(), Path::new("/srv/home/ann/.ssh"))
        .link("/home", "srv/home")
        .user("ann", 1000)
        .file("/srv/home/ann/.ssh/authorized_keys", "", 0o600)
        .file("/srv/home/stranger", "", 0o644);
    let (_, _, inside, _) =
        WITH_PATHS.iter().find(|(kind, ..)| *kind == "authorized_key").expect("it is there");
    let inside = inside.replace("; ", "\n");
    let configuration = format!(
        "authorized_key \"k\" {{\n{inside}\n}}\ndirectory \"purged\" {{\n path = \"/srv/home\"\n purge = true\n}}\n"
    );
    assert_eq!(purged_from(&configuration, host), ["stranger"]);
}
