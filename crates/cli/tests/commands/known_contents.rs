//! Files that did not change since the last run are not opened.

use std::fs::{self, FileTimes, OpenOptions};
use std::io::Write;
use std::mem::MaybeUninit;
use std::time::Duration;

use rustix::fs::inotify::{self, CreateFlags, WatchFlags};

use super::sandbox::{Ran, Sandbox};

const SITE: &str = r#"
file "/motd" {
  content = "Welcome.\n"
}
"#;

/// A machine whose file did not change for longer than the clock could be wrong, with two runs since.
fn settled() -> Sandbox {
    let sandbox = Sandbox::with(SITE);
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    std::thread::sleep(Duration::from_millis(2100));
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    sandbox
}

/// Whether the command opens the file.
fn opens(sandbox: &Sandbox, arguments: &[&str]) -> (bool, Ran) {
    let watch = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
    inotify::add_watch(&watch, sandbox.path("root/motd"), WatchFlags::OPEN).unwrap();
    let ran = sandbox.rooted(arguments);
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let is_opened = inotify::Reader::new(watch, &mut buffer).next().is_ok();
    (is_opened, ran)
}

#[test]
fn a_file_that_did_not_change_is_not_opened() {
    let sandbox = settled();
    let check = |arguments: &[&str], expected: bool| {
        let (is_opened, ran) = opens(&sandbox, arguments);
        assert_eq!((is_opened, ran.code), (expected, Some(0)), "{arguments:?}\n{}", ran.stderr);
    };
    check(&["apply", "site.hcl"], false);
    check(&["plan", "site.hcl"], false);
    check(&["apply", "--audit", "site.hcl"], false);
    check(&["apply", "--no-cache", "site.hcl"], true);
    check(&["plan", "--no-cache", "site.hcl"], true);
    check(&["apply", "--no-journal", "site.hcl"], true);
}

#[test]
fn a_change_with_the_same_size_and_time_is_repaired() {
    let sandbox = settled();
    let mut file = OpenOptions::new().write(true).open(sandbox.path("root/motd")).unwrap();
    let modified = file.metadata().unwrap().modified().unwrap();
    file.write_all(b"Attacked\n").unwrap();
    file.set_times(FileTimes::new().set_modified(modified)).unwrap();
    drop(file);
    assert_eq!(sandbox.rooted(&["plan", "site.hcl"]).code, Some(2));
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    assert_eq!(sandbox.read("root/motd"), "Welcome.\n");
}

#[test]
fn another_declared_content_is_applied() {
    let sandbox = settled();
    sandbox.write("site.hcl", SITE.replace("Welcome", "Goodbye"));
    assert_eq!(sandbox.rooted(&["apply", "site.hcl"]).code, Some(0));
    assert_eq!(sandbox.read("root/motd"), "Goodbye.\n");
}

#[test]
fn a_damaged_cache_is_not_used_and_not_reported() {
    let sandbox = settled();
    let cache = sandbox.path(".state/contents");
    let mut content = fs::read(&cache).unwrap();
    *content.last_mut().unwrap() ^= 1;
    fs::write(&cache, content).unwrap();
    let (is_opened, ran) = opens(&sandbox, &["apply", "site.hcl"]);
    assert_eq!((is_opened, ran.code, ran.stderr.as_str()), (true, Some(0), ""));
    assert!(!opens(&sandbox, &["apply", "site.hcl"]).0, "it was written again");
}
