//! Reports of the watcher.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_memory::{Fixture, MemoryHost, Trouble};
use uphold_resource::{
    Access, Command, Commands, FileEdits, Group, Interest, NewFile, User, WatchEvent, Watcher,
};

use super::{machine, mode, put, set_access};

fn path(path: &str) -> Interest {
    Interest::Path(PathBuf::from(path))
}

/// A machine, and a watcher with these interests, whose tokens start at 0.
fn watching(interests: impl IntoIterator<Item = Interest>) -> (MemoryHost, Arc<dyn Watcher>) {
    let host = machine();
    let watcher = host.machine().watchers.watcher().expect("it can be watched");
    for (token, interest) in (0..).zip(interests) {
        watcher.arm(token, &[interest]).expect("there are watches");
    }
    (host, watcher)
}

/// The reports up to now, one string each.
fn reports(watcher: &Arc<dyn Watcher>) -> Vec<String> {
    let mut reports = Vec::new();
    watcher.collect(&mut |news| {
        reports.push(match news {
            WatchEvent::Changed { token, what } => format!("{token}: {what}"),
            WatchEvent::Blind { token, because } => format!("{token}: {because}"),
            WatchEvent::Lost => "lost".to_owned(),
        });
    });
    reports
}

/// Checks the reports for interests in `/etc/motd`, the entries of `/etc`, and the tree `/etc`.
#[track_caller]
fn check(change: impl FnOnce(&MemoryHost), expected: &[&str]) {
    let (host, watcher) =
        watching([path("/etc/motd"), Interest::Entries("/etc".into()), Interest::Tree("/etc".into())]);
    change(&host);
    assert_eq!(reports(&watcher), expected);
    assert!(reports(&watcher).is_empty(), "nothing is reported twice");
}

#[test]
fn reports_every_write() {
    const MOTD: [&str; 3] = ["0: /etc/motd", "1: /etc/motd", "2: /etc/motd"];
    const ISSUE: [&str; 2] = ["1: /etc/issue", "2: /etc/issue"];
    let motd = Path::new("/etc/motd");
    check(|host| put(host, "/etc/motd", "x").unwrap(), &MOTD);
    check(|host| set_access(&host.act(), motd, &mode(0o600)).unwrap(), &MOTD);
    check(|host| host.remove_file(motd).unwrap(), &MOTD);
    check(|host| host.make_link(motd, Path::new("issue")).unwrap(), &MOTD);
    check(
        |host| host.make_hard_link(Path::new("/etc/more"), motd).unwrap(),
        &["1: /etc/more", "2: /etc/more"],
    );
    check(|host| host.copy(motd, Path::new("/etc/issue")).unwrap(), &ISSUE);
    check(|host| host.remove_tree(Path::new("/etc")).unwrap(), &["0: /etc", "1: /etc", "2: /etc"]);
    check(|host| _ = host.run(&Command::shell("touch /etc/motd")).unwrap(), &MOTD);
    check(
        |host| host.make_directory(Path::new("/etc/d"), &mode(0o755)).unwrap(),
        &["1: /etc/d", "2: /etc/d"],
    );
}

#[test]
fn does_not_report_failures() {
    check(|host| _ = host.remove_directory(Path::new("/etc")).unwrap_err(), &[]);
    check(
        |host| {
            host.fail_after(0);
            put(host, "/etc/motd", "x").unwrap_err();
        },
        &[],
    );
}

/// A listing of the directory may contain the temporary file.
#[test]
fn reports_a_file_during_verification() {
    let verify = |_: &Path| Ok(());
    let (host, watcher) = watching([Interest::Entries("/etc".into()), path("/etc/new")]);
    let file = NewFile { verify: Some(&verify), ..NewFile::new(b"x", Access::default()) };
    host.write(Path::new("/etc/new"), &file).unwrap();
    let reports = reports(&watcher);
    assert_eq!(reports.len(), 4, "{reports:?}");
    assert!(reports[..2].iter().all(|line| line.starts_with("0: /etc/.new.uphold-")), "{reports:?}");
    assert_eq!(reports[2..], ["0: /etc/new", "1: /etc/new"]);
}

#[test]
fn reports_tampering() {
    const MOTD: [&str; 3] = ["0: /etc/motd", "1: /etc/motd", "2: /etc/motd"];
    check(|host| host.tamper("/etc/motd", "x"), &MOTD);
    let link = ["1: /etc/link", "2: /etc/link"];
    check(|host| host.tamper("/etc/link", "x"), &[MOTD.as_slice(), &link].concat());
    check(|host| host.change_access("/etc/motd", mode(0o600)), &MOTD);
    check(|host| host.set_attribute("/etc/motd", "user.x", "x"), &MOTD);
    check(|host| host.delete("/etc/motd"), &MOTD);
    check(|host| host.delete("/etc/nothing"), &[]);
    check(|host| host.rename("/etc", "/old"), &["0: /etc", "1: /etc", "2: /etc"]);
    check(|host| host.rename("/etc/motd", "/tmp/motd"), &MOTD);
    check(|host| host.restore(&host.snapshot()), &["0: /", "1: /", "2: /"]);
    let furnished = ["1: /etc/d", "2: /etc/d", "2: /etc/d/f"];
    let file = || Fixture::File(Vec::new());
    check(|host| host.furnish(Path::new("/etc/d/f"), file(), 0o644, 0, 0).unwrap(), &furnished);
}

#[test]
fn reports_a_reverted_write() {
    let (host, watcher) = watching([path("/etc/motd")]);
    put(&host, "/etc/motd", "x").unwrap();
    host.revert(&host.writes()[0]);
    assert_eq!(reports(&watcher), ["0: /etc/motd"; 2]);
}

/// Both the interest and the change may use a path with links.
#[test]
fn reports_changes_through_links() {
    let (host, watcher) = watching([path("/conf/motd"), path("/etc/motd"), path("/conf/new/deep")]);
    put(&host, "/conf/motd", "x").unwrap();
    assert_eq!(reports(&watcher), ["0: /etc/motd", "1: /etc/motd"]);
    host.delete("/conf");
    assert_eq!(reports(&watcher), ["0: /conf", "2: /conf"]);
    host.tamper("/etc/new", "x");
    assert_eq!(reports(&watcher), ["2: /etc/new"]);
}

#[test]
fn reports_everything_in_a_moved_directory() {
    let host = machine();
    host.rename("/etc", "/tmp/etc");
    let content = host.snapshot().content(Path::new("/tmp/etc/motd")).map(<[u8]>::to_vec);
    assert_eq!(content.as_deref(), Some(b"hello".as_slice()));
    assert_eq!(host.snapshot().describe(Path::new("/etc")), None);
}

#[test]
#[should_panic(expected = "cannot move /etc to /etc/in")]
fn refuses_to_move_a_directory_into_itself() {
    machine().rename("/etc", "/etc/in");
}

#[test]
fn reports_accounts() {
    let (host, watcher) = watching([Interest::Accounts, path("/etc/motd")]);
    let user = User { name: "u".to_owned(), uid: 5, gid: 5, home: "/".into(), shell: "/bin/sh".into() };
    host.put_user(user);
    host.put_group(Group { name: "g".to_owned(), gid: 6, members: Vec::new() });
    assert_eq!(reports(&watcher), ["0: the accounts"; 2]);
}

#[test]
fn a_test_can_report_anything() {
    let unit = Interest::Unit("web".into());
    let (host, watcher) = watching([unit.clone(), Interest::Packages, path("/etc/motd")]);
    host.report(&unit);
    host.report(&Interest::Unit("other".into()));
    host.report(&path("/etc"));
    host.go_blind("/etc/motd", "gone");
    assert_eq!(reports(&watcher), ["0: the unit web", "2: /etc", "2: gone"]);
    host.tamper("/etc/motd", "x");
    host.lose_reports();
    assert_eq!(reports(&watcher), ["lost"]);
}

#[test]
fn fails_for_unwatchable_paths_and_watches_the_others() {
    let (host, watcher) = watching([]);
    host.refuse_watches("/etc");
    let interests = [path("/etc/motd"), path("/tmp/x"), Interest::Accounts];
    let error = watcher.arm(3, &interests).expect_err("there are no watches");
    assert_eq!(error.to_string(), "cannot watch /etc/motd: no watches are left");
    assert_eq!(host.watches()[&3], interests[1..]);
    assert!(host.is_watched("/tmp/x") && !host.is_watched("/etc/motd"));
    host.allow_watches();
    watcher.arm(3, &interests).expect("there are watches");
    assert!(host.is_watched("/etc/motd"));
    assert_eq!(host.armings().len(), 2);
    host.suffer(1, Trouble { refused: 100, ..Trouble::default() });
    watcher.arm(3, &interests).expect_err("nothing can be watched");
}

#[test]
fn does_not_report_to_a_disarmed_token() {
    let (host, watcher) = watching([path("/etc/motd"), path("/etc/motd")]);
    watcher.arm(0, &[]).expect("nothing to watch");
    host.tamper("/etc/motd", "x");
    assert_eq!(reports(&watcher), ["1: /etc/motd"]);
    let anew = host.machine().watchers.watcher().expect("it can be watched");
    host.tamper("/etc/motd", "x");
    assert!(reports(&anew).is_empty(), "a new watcher begins with nothing");
}

#[test]
fn faults_depend_only_on_the_seed() {
    let count = |seed| {
        let (host, watcher) = watching([path("/etc/motd"), path("/etc/issue")]);
        host.suffer(seed, Trouble { lost: 50, ..Trouble::default() });
        (0..20).for_each(|_| host.tamper("/etc/motd", "x"));
        reports(&watcher).len()
    };
    assert_eq!(count(1), count(1));
    assert!((1..20).contains(&count(1)));
    assert!((2..9).any(|seed| count(seed) != count(1)));
}
