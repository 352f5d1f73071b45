//! Hosts stand, are apart from the machine and from each other, and leave nothing behind.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests look at the machine")]

use std::fs;
use std::path::Path;
use std::process::Command;

use uphold_testbed::{Bed, Host, Package, Repository};

/// Where each host has a folder.
const HOSTS: &str = "/tmp/uphold-testbed/hosts";

/// Any program can stand in for the binary: these tests are about hosts.
fn bed() -> Option<Bed> {
    Bed::open("/bin/true")
}

/// Groups and folders of this process's hosts that are still there.
fn remains(name: &str) -> Vec<String> {
    let places = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", HOSTS];
    let entries = places.iter().flat_map(|place| fs::read_dir(place).into_iter().flatten().flatten());
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names
        .filter(|entry| entry.contains(name) && entry.ends_with(&format!("-{}", std::process::id())))
        .collect()
}

#[test]
fn a_plain_host_is_a_machine_of_its_own() {
    let Some(bed) = bed() else { return };
    let (one, other) = (bed.plain("apart-one"), bed.plain("apart-other"));
    one.ok("useradd -m ann && echo hello >/home/ann/note");
    assert_eq!(one.read("/home/ann/note"), "hello\n");
    assert_ne!(other.run("getent passwd ann").status, 0, "another host has nothing of it");
    assert!(!Path::new("/home/ann/note").exists());
    assert_eq!(one.ok("cat /proc/1/comm"), "bash\n");
    assert!(one.ok("hostname").starts_with("apart-one"));
    assert_eq!(one.ok("ip -br link | wc -l"), "1\n", "it has its own network");
    assert_eq!(one.ok("ip -br addr show lo | grep -c 127.0.0.1"), "1\n");
}

#[test]
fn what_belongs_to_the_machine_is_out_of_reach() {
    let Some(bed) = bed() else { return };
    let host = bed.plain("reach");
    // Asked, not tried: if it could be done, it would be done to the machine.
    assert_eq!(host.ok("setpriv --dump | grep -ciE 'bounding.*(sys_time|sys_module)' || :"), "0\n");
    for forbidden in ["echo 1 >/proc/sys/fs/protected_hardlinks", "mknod /sys/x c 1 3"] {
        assert_ne!(host.run(forbidden).status, 0, "{forbidden}");
    }
    host.ok("sysctl -w net.ipv4.ip_forward=1");
    host.ok("truncate -s 64M /disk && mkfs.ext4 -q /disk && mount -o loop /disk /mnt && umount /mnt");
}

#[test]
fn systemd_runs() {
    let Some(bed) = bed() else { return };
    let host = bed.systemd("booted");
    assert_eq!(host.ok("systemctl is-system-running"), "running\n");
    assert_eq!(host.ok("cat /proc/1/comm"), "systemd\n");
    host.ok("systemctl restart cron && systemctl is-active cron");
    host.ok("timedatectl set-timezone Europe/Vienna");
    assert_eq!(host.ok("readlink -f /etc/localtime"), "/usr/share/zoneinfo/Europe/Vienna\n");
}

#[test]
fn what_was_written_outlives_a_restart() {
    let Some(bed) = bed() else { return };
    let mut host = bed.systemd("again");
    host.ok("systemctl disable -q --now cron && touch /run/lost && touch /srv/kept");
    let before = host.ok("cat /etc/machine-id");
    host.restart();
    assert_eq!(host.ok("systemctl is-system-running"), "running\n");
    assert_eq!(host.ok("systemctl is-active cron || :"), "inactive\n");
    host.ok("test -e /srv/kept && ! test -e /run/lost");
    assert_eq!(host.ok("cat /etc/machine-id"), before);
    drop(host);
    assert_eq!(remains("again"), [""; 0]);
}

#[test]
fn nothing_is_left_of_a_host() {
    let Some(bed) = bed() else { return };
    let host = bed.systemd("brief");
    host.ok("touch /immutable && chattr +i /immutable");
    assert!(!remains("brief").is_empty(), "the test looks at the right places");
    drop(host);
    assert_eq!(remains("brief"), [""; 0]);
}

#[test]
fn a_host_ends_with_a_process_that_is_killed() {
    let Some(bed) = bed() else { return };
    if std::env::var_os("UPHOLD_BED_VICTIM").is_some() {
        let host = bed.plain("orphan");
        // The name tells the parent which one it is; then comes the blow.
        host.ok("true");
        Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status().expect("`kill` runs");
    }
    let mut again = Command::new(std::env::current_exe().expect("a test has a path"));
    again.args(["--exact", "a_host_ends_with_a_process_that_is_killed"]).env("UPHOLD_BED_VICTIM", "1");
    let mut victim = again.spawn().expect("the test runs");
    let id = victim.id();
    assert!(!victim.wait().expect("it is ours").success());
    let hosts = || fs::read_dir(HOSTS).expect("hosts have a folder").flatten();
    let is_its = |name: &str| name.starts_with("orphan") && name.ends_with(&format!("-{id}"));
    let gone = || !hosts().any(|entry| is_its(&entry.file_name().to_string_lossy()));
    let mut patience = (0..500).map(|_| std::thread::sleep(std::time::Duration::from_millis(10)));
    assert!(patience.any(|()| gone()), "its supervisor has cleared up");
}

#[test]
fn a_digest_sees_every_touch() {
    let Some(bed) = bed() else { return };
    let host = bed.plain("digest");
    host.ok("echo a >/srv/a && echo ro >/srv/ro && ln -s a /srv/l && mkdir /srv/d");
    let still = host.digest();
    host.ok("cat /srv/a /etc/passwd; ls -lR /etc /srv; touch /tmp/x /run/x");
    assert_eq!(still.difference(&host.digest()), "", "a look is no touch");
    for touch in [
        "echo b >/srv/a",
        "echo b >/srv/a",
        "chmod 600 /srv/a",
        "chown 1:1 /srv/a",
        "setfattr -n user.x -v 1 /srv/a",
        "setfacl -m u:1:r /srv/a",
        "ln -sfn b /srv/l",
        "touch /srv/d/x && rm /srv/d/x",
        "rm /etc/motd",
        "chmod 644 /etc/passwd",
        "touch -a -c /srv/ro -d 2001-01-01",
    ] {
        let before = host.digest();
        host.ok(touch);
        assert_ne!(before.difference(&host.digest()), "", "{touch}");
    }
}

#[test]
fn packages_come_from_a_repository() {
    let Some(bed) = bed() else { return };
    let mut repository = Repository::new(&bed);
    let app = |version: &str| {
        let package =
            Package::new("hello-app", version).depends("hello-lib").conffile("/etc/hello.conf", version);
        package
            .program("/usr/bin/hello", "#!/bin/sh\necho hello\n")
            .script("postinst", "echo ran >/var/hello")
    };
    repository.add(&[Package::new("hello-lib", "1:1.0"), app("1.0")]);
    let host = bed.host("apt").bind(repository.directory(), Repository::PATH).plain();
    host.write("/etc/apt/sources.list", Repository::SOURCE);
    host.ok("apt-get -q update && apt-get -qy install hello-app");
    assert_eq!(host.ok("hello; cat /etc/hello.conf /var/hello"), "hello\n1.0ran\n");
    repository.add(&[app("1.1"), Package::new("broken", "1").script("postinst", "exit 3")]);
    host.ok("apt-get -q update && apt-get -qy upgrade");
    assert_eq!(host.ok("dpkg-query -Wf '${Version}' hello-app"), "1.1");
    assert_eq!(host.run("apt-get -qy install broken").status, 100);
}

#[test]
fn a_signed_repository_needs_its_key() {
    let Some(bed) = bed() else { return };
    let mut repository = Repository::new(&bed);
    repository.add(&[Package::new("signed", "1")]);
    let host = bed.host("signed").bind(repository.directory(), Repository::PATH).plain();
    repository.sign(&host);
    host.write("/etc/apt/sources.list", "deb file:/srv/repo test main\n");
    assert_ne!(host.run("apt-get -q update").status, 0, "nobody vouches for it");
    let line = format!("deb [signed-by={}] file:/srv/repo test main\n", Repository::KEY);
    host.write("/etc/apt/sources.list", &line);
    host.ok("apt-get -q update && apt-get -qy install signed");
}

#[test]
fn what_goes_on_can_be_heard_and_ended() {
    let Some(_) = bed() else { return };
    let folder = std::env::temp_dir().join(format!("uphold-testbed-program-{}", std::process::id()));
    let script =
        "#!/bin/sh\ntrap 'echo bye; exit 7' TERM\necho \"hello $*\" $PWD\nwhile :; do sleep .01; done\n";
    fs::write(&folder, script).expect("a program can be written");
    let made = Command::new("chmod").arg("755").arg(&folder).status().expect("`chmod` runs");
    assert!(made.success());
    let host = Bed::open(&folder).expect("there was one").plain("heard");
    let mut running = host.spawn(&["a", "b"]);
    assert_eq!(running.await_line("hello"), format!("hello a b {}", Host::SITE));
    let (status, said) = running.end();
    assert_eq!((status, said.contains("bye")), (7, true), "{said}");
    fs::remove_file(&folder).expect("it is there");
}

#[test]
fn whoever_wants_no_hosts_is_told_what_is_skipped() {
    let mut again = Command::new(std::env::current_exe().expect("a test has a path"));
    again.args(["--exact", "--nocapture", "systemd_runs"]).env("UPHOLD_BED", "skip");
    let output = again.output().expect("the test runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("skipped: "), "{said}");
}
