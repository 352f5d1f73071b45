//! Who is told of what.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_memory::{Furnishing, MemoryHost, Trouble};
use uphold_resource::{Access, Command, Commands, FileEdits, Group, Interest, NewFile, News, User, Watcher};

use crate::{machine, mode, put, set_access};

fn path(path: &str) -> Interest {
    Interest::Path(PathBuf::from(path))
}

/// A machine, and a watcher with these interests, of which the first is number 0.
fn watching(interests: impl IntoIterator<Item = Interest>) -> (MemoryHost, Arc<dyn Watcher>) {
    let host = machine();
    let watcher = host.machine().watchers.watcher().expect("it can be watched");
    for (token, interest) in (0..).zip(interests) {
        watcher.arm(token, &[interest]).expect("there are watches");
    }
    (host, watcher)
}

/// What is told, a word each.
fn told(watcher: &Arc<dyn Watcher>) -> Vec<String> {
    let mut told = Vec::new();
    watcher.collect(&mut |news| {
        told.push(match news {
            News::Changed { token, what } => format!("{token}: {what}"),
            News::Blind { token, because } => format!("{token}: {because}"),
            News::Lost => "lost".to_owned(),
        });
    });
    told
}

/// What somebody who is interested in `/etc/motd`, the names in `/etc`, and all of `/etc` is told.
#[track_caller]
fn check(change: impl FnOnce(&MemoryHost), expected: &[&str]) {
    let (host, watcher) =
        watching([path("/etc/motd"), Interest::Entries("/etc".into()), Interest::Tree("/etc".into())]);
    change(&host);
    assert_eq!(told(&watcher), expected);
    assert!(told(&watcher).is_empty(), "nothing is told twice");
}

#[test]
fn every_write_is_reported() {
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
fn what_fails_is_not_reported() {
    check(|host| _ = host.remove_directory(Path::new("/etc")).unwrap_err(), &[]);
    check(
        |host| {
            host.fail_after(0);
            put(host, "/etc/motd", "x").unwrap_err();
        },
        &[],
    );
}

/// Somebody who lists the directory may see the temporary file.
#[test]
fn a_file_that_is_tried_out_is_reported() {
    let verify = |_: &Path| Ok(());
    let (host, watcher) = watching([Interest::Entries("/etc".into()), path("/etc/new")]);
    let file =
        NewFile { content: b"x", access: Access::default(), verify: Some(&verify), replace_other: false };
    host.write(Path::new("/etc/new"), &file).unwrap();
    let told = told(&watcher);
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[..2].iter().all(|line| line.starts_with("0: /etc/.new.uphold-")), "{told:?}");
    assert_eq!(told[2..], ["0: /etc/new", "1: /etc/new"]);
}

#[test]
fn tampering_is_reported() {
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
    let file = || Furnishing::File(Vec::new());
    check(|host| host.furnish(Path::new("/etc/d/f"), file(), 0o644, 0, 0).unwrap(), &furnished);
}

#[test]
fn a_write_that_is_taken_back_is_reported() {
    let (host, watcher) = watching([path("/etc/motd")]);
    put(&host, "/etc/motd", "x").unwrap();
    host.revert(&host.writes()[0]);
    assert_eq!(told(&watcher), ["0: /etc/motd"; 2]);
}

/// A path may be named through links, by either side.
#[test]
fn links_lead_to_the_same_place() {
    let (host, watcher) = watching([path("/conf/motd"), path("/etc/motd"), path("/conf/new/deep")]);
    put(&host, "/conf/motd", "x").unwrap();
    assert_eq!(told(&watcher), ["0: /etc/motd", "1: /etc/motd"]);
    host.delete("/conf");
    assert_eq!(told(&watcher), ["0: /conf", "2: /conf"]);
    host.tamper("/etc/new", "x");
    assert_eq!(told(&watcher), ["2: /etc/new"]);
}

#[test]
fn a_moved_directory_takes_everything_along() {
    let host = machine();
    host.rename("/etc", "/tmp/etc");
    let content = host.snapshot().content(Path::new("/tmp/etc/motd")).map(<[u8]>::to_vec);
    assert_eq!(content.as_deref(), Some(b"hello".as_slice()));
    assert_eq!(host.snapshot().describe(Path::new("/etc")), None);
}

#[test]
#[should_panic(expected = "cannot move /etc to /etc/in")]
fn nothing_moves_into_itself() {
    machine().rename("/etc", "/etc/in");
}

#[test]
fn accounts_are_reported() {
    let (host, watcher) = watching([Interest::Accounts, path("/etc/motd")]);
    let user = User { name: "u".to_owned(), uid: 5, gid: 5, home: "/".into(), shell: "/bin/sh".into() };
    host.put_user(user);
    host.put_group(Group { name: "g".to_owned(), gid: 6, members: Vec::new() });
    assert_eq!(told(&watcher), ["0: the accounts"; 2]);
}

#[test]
fn a_test_reports_the_rest() {
    let unit = Interest::Unit("web".into());
    let (host, watcher) = watching([unit.clone(), Interest::Packages, path("/etc/motd")]);
    host.report(&unit);
    host.report(&Interest::Unit("other".into()));
    host.report(&path("/etc"));
    host.go_blind("/etc/motd", "gone");
    assert_eq!(told(&watcher), ["0: the unit web", "2: /etc", "2: gone"]);
    host.tamper("/etc/motd", "x");
    host.lose_reports();
    assert_eq!(told(&watcher), ["lost"]);
}

#[test]
fn what_cannot_be_watched_is_said_and_the_rest_is_watched() {
    let (host, watcher) = watching([]);
    host.refuse_watches("/etc");
    let interests = [path("/etc/motd"), path("/tmp/x"), Interest::Accounts];
    let error = watcher.arm(3, &interests).expect_err("there are no watches");
    assert_eq!(error.to_string(), "cannot watch /etc/motd: there are no watches left");
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
fn who_is_disarmed_is_told_no_more() {
    let (host, watcher) = watching([path("/etc/motd"), path("/etc/motd")]);
    watcher.arm(0, &[]).expect("nothing to watch");
    host.tamper("/etc/motd", "x");
    assert_eq!(told(&watcher), ["1: /etc/motd"]);
    let anew = host.machine().watchers.watcher().expect("it can be watched");
    host.tamper("/etc/motd", "x");
    assert!(told(&anew).is_empty(), "a new watcher begins with nothing");
}

#[test]
fn trouble_depends_on_its_seed_alone() {
    let tell = |seed| {
        let (host, watcher) = watching([path("/etc/motd"), path("/etc/issue")]);
        host.suffer(seed, Trouble { lost: 50, ..Trouble::default() });
        (0..20).for_each(|_| host.tamper("/etc/motd", "x"));
        told(&watcher).len()
    };
    assert_eq!(tell(1), tell(1));
    assert!((1..20).contains(&tell(1)));
    assert!((2..9).any(|seed| tell(seed) != tell(1)));
}
