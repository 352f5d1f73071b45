use std::path::Path;

use uphold_host::LocalHost;
use uphold_resource::{Accounts, ErrorKind, FileEdits, Group, User};

use super::ground::{Ground, refused, with_mode};

fn rooted(ground: &Ground) -> LocalHost {
    ground.directory("etc", 0o755);
    LocalHost::rooted(&ground.path("")).unwrap()
}

#[test]
fn this_machine_knows_root() {
    let host = LocalHost::new();
    let root = host.user("root").unwrap().unwrap();
    assert_eq!((root.uid, root.gid), (0, 0));
    assert_eq!(host.user_by_id(0).unwrap().unwrap().name, "root");
    assert_eq!(host.group("root").unwrap().unwrap().gid, 0);
    assert_eq!(host.group_by_id(0).unwrap().unwrap().name, "root");
    assert_eq!(host.current_uid(), rustix::process::geteuid().as_raw());
}

#[test]
fn an_unknown_name_is_none() {
    let host = LocalHost::new();
    for name in ["no-such-user", "", "0", "-h", "a:b", "root\n"] {
        assert_eq!(host.user(name).unwrap(), None, "{name:?}");
        assert_eq!(host.group(name).unwrap(), None, "{name:?}");
    }
    assert_eq!(host.user_by_id(3_999_999_999).unwrap(), None);
}

#[test]
fn looks_up_an_unknown_name_once() {
    let host = LocalHost::new();
    host.user("no-such-user").unwrap();
    let start = std::time::Instant::now();
    for _ in 0..5_000 {
        assert_eq!(host.user("no-such-user").unwrap(), None);
    }
    // 5,000 processes would take far longer than 5,000 table lookups.
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn another_root_has_its_own_accounts() {
    let ground = Ground::new();
    let host = rooted(&ground);
    assert_eq!(host.user("root").unwrap(), None, "no file means no account");
    ground.file("etc/passwd", "ann:x:1001:1002:Ann:/home/ann:/bin/sh\n", 0o644);
    ground.file("etc/group", "staff:x:1002:ann,bob\n", 0o644);
    let (home, shell) = ("/home/ann".into(), "/bin/sh".into());
    let ann = User { name: "ann".into(), uid: 1001, gid: 1002, home, shell };
    assert_eq!(host.user("ann").unwrap(), Some(ann.clone()));
    assert_eq!(host.user_by_id(1001).unwrap(), Some(ann));
    let staff = Group { name: "staff".into(), gid: 1002, members: vec!["ann".into(), "bob".into()] };
    assert_eq!(host.group("staff").unwrap(), Some(staff.clone()));
    assert_eq!(host.group_by_id(1002).unwrap(), Some(staff));
    assert_eq!(host.user("root").unwrap(), None);
}

#[test]
fn notices_changes() {
    let ground = Ground::new();
    let host = rooted(&ground);
    for turn in 0..50 {
        // Additions of other processes are seen immediately, and so are our own changes.
        let name = format!("user{turn}");
        ground.file("etc/passwd", &format!("{name}:x:{turn}:0::/:\n"), 0o644);
        assert_eq!(host.user(&name).unwrap().unwrap().uid, turn);
        let content = format!("{name}:x:{}:0::/:\n", turn + 1000);
        host.write(Path::new("/etc/passwd"), &with_mode(&content, 0o644)).unwrap();
        assert_eq!(host.user(&name).unwrap().unwrap().uid, turn + 1000);
    }
    std::thread::sleep(std::time::Duration::from_millis(10));
    ground.file("etc/passwd", "user49:x:7:0::/:\n", 0o644);
    std::thread::sleep(std::time::Duration::from_millis(10));
    assert_eq!(host.user("user49").unwrap().unwrap().uid, 7);
}

#[test]
fn refuses_a_huge_database() {
    let ground = Ground::new();
    let host = rooted(&ground);
    let path = ground.file("etc/passwd", "", 0o644);
    std::fs::File::options().write(true).open(path).unwrap().set_len(1 << 42).unwrap();
    assert!(refused(host.user("root"), ErrorKind::Invalid).chain().contains("the limit is"));
}
