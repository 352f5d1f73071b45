//! The journal, snapshots and faults.

use std::path::{Path, PathBuf};

use uphold_resource::{Access, Command, Commands, ErrorKind, FileEdits, Probes};

use super::{at, machine, mode, put, refused, set_access};

#[test]
fn every_write_is_in_the_journal() {
    let host = machine();
    assert!(host.writes().is_empty());
    put(&host, "/etc/motd", "new").unwrap();
    put(&host, "/etc/motd", "new").unwrap();
    set_access(&host.act(), Path::new("/etc/motd"), &mode(0o640)).unwrap();
    set_access(&host.act(), Path::new("/etc/motd"), &mode(0o600)).unwrap();
    host.make_link(Path::new("/etc/link"), Path::new("motd")).unwrap();
    host.run(&Command::shell("echo x > /srv; rm /srv")).unwrap();
    host.probe(&Command::shell("touch /srv")).unwrap();
    let found: Vec<_> =
        host.writes().iter().map(|w| format!("{w}{}", if w.needless { "!" } else { "" })).collect();
    assert_eq!(
        found,
        [
            "write /etc/motd",
            "write /etc/motd!",
            "set the permissions of /etc/motd!",
            "set the permissions of /etc/motd",
            "make the link /etc/link!",
            "run /bin/sh",
            "write /srv (by /bin/sh)",
            "write /srv (by /bin/sh)",
            "remove /srv (by /bin/sh)",
            "write /srv (by /bin/sh)",
        ]
    );
}

#[test]
fn snapshots_compare_and_restore() {
    let host = machine();
    let before = host.snapshot();
    assert!(format!("{before:?}").contains("/etc/motd the same file as /etc/issue\n"), "{before:?}");
    put(&host, "/etc/motd", "new").unwrap();
    host.delete("/tmp");
    let after = host.snapshot();
    assert_ne!(before, after);
    assert_eq!(
        before.diff(&after),
        [
            "- /etc/motd the same file as /etc/issue",
            r#"+ /etc/motd a regular file 0640 1000:1000 "new" user.note="kept""#,
            "- /tmp a directory 1777 0:0",
            "- /tmp/etc a symbolic link 0777 0:0 -> /etc",
        ]
    );
    assert_eq!(before.changed_paths(&after), ["/etc/motd", "/tmp", "/tmp/etc"].map(PathBuf::from));
    host.restore(&before);
    assert_eq!(host.snapshot(), before);
}

#[test]
fn reverts_any_single_write() {
    let host = machine();
    put(&host, "/etc/motd", "new").unwrap();
    set_access(&host.act(), Path::new("/etc/motd"), &mode(0o600)).unwrap();
    host.make_directory(Path::new("/srv"), &Access::default()).unwrap();
    put(&host, "/srv/file", "x").unwrap();
    host.remove_tree(Path::new("/tmp")).unwrap();
    let done = host.snapshot();
    let writes = host.writes();
    let check = |write: usize, path: &str, expected: &str| {
        host.restore(&done);
        host.revert(&writes[write]);
        assert_eq!(at(&host, path), expected, "{}", writes[write]);
    };
    check(0, "/etc/motd", r#"a regular file 0640 1000:1000 "hello" user.note="kept""#);
    assert!(format!("{:?}", host.snapshot()).contains("/etc/motd the same file as /etc/issue"));
    check(1, "/etc/motd", r#"a regular file 0640 1000:1000 "new" user.note="kept""#);
    check(2, "/srv/file", "nothing");
    check(3, "/srv/file", "nothing");
    check(3, "/srv", "a directory 0700 0:0");
    check(4, "/tmp/etc", "a symbolic link 0777 0:0 -> /etc");
    assert_eq!(host.writes().len(), writes.len());
}

#[test]
fn faults_affect_one_write_or_all_later_ones() {
    let host = machine();
    host.fail_after(1);
    put(&host, "/etc/a", "").unwrap();
    refused(put(&host, "/missing/b", ""), ErrorKind::ParentMissing);
    refused(put(&host, "/etc/b", ""), ErrorKind::Failed);
    put(&host, "/etc/c", "").unwrap();
    host.stop_after(0);
    refused(put(&host, "/etc/d", ""), ErrorKind::Failed);
    refused(set_access(&host.act(), Path::new("/etc/a"), &mode(0)), ErrorKind::Failed);
    refused(host.run(&Command::shell("true")), ErrorKind::Failed);
    assert!(!host.probe(&Command::shell("touch /etc/d")).unwrap().success());
    host.heal();
    put(&host, "/etc/e", "").unwrap();
    let written: Vec<_> = host.writes().into_iter().map(|write| write.path).collect();
    assert_eq!(written, ["/etc/a", "/etc/c", "/etc/e"].map(PathBuf::from));
}
