//! Kinds with a path.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::thread;
use std::time::Duration;

use super::watched::Watched;

fn mode(watch: &Watched, name: &str) -> u32 {
    watch.at(name).symlink_metadata().map_or(0, |found| found.mode() & 0o7777)
}

fn set_mode(watch: &Watched, name: &str, mode: u32) {
    fs::set_permissions(watch.at(name), fs::Permissions::from_mode(mode)).expect(name);
}

/// Seven changes: overwritten, removed, mode, owner, renamed, replaced by a link, parent moved away.
#[test]
fn a_file_is_repaired_after_every_sort_of_change() {
    let uid = rustix::process::getuid().as_raw();
    let text = r#"
        directory "DIR/d" {}
        file "DIR/d/f" {
          content = "right\n"
          mode    = "0640"
          owner   = UID
          force   = true
        }"#;
    let watch = Watched::new(&text.replace("UID", &uid.to_string()));
    let is_right = |watch: &Watched| {
        let found = watch.at("d/f").symlink_metadata();
        let is_file = found.is_ok_and(|found| found.is_file() && found.uid() == uid);
        is_file && mode(watch, "d/f") == 0o640 && watch.read("d/f").as_deref() == Some("right\n")
    };
    let repairs = |what: &str, tamper: &dyn Fn(&Watched)| watch.repairs(what, tamper, is_right);
    repairs("overwritten", &|watch| watch.write("d/f", "wrong\n"));
    repairs("removed", &|watch| fs::remove_file(watch.at("d/f")).expect("it existed"));
    repairs("its mode", &|watch| set_mode(watch, "d/f", 0o666));
    if uid == 0 {
        repairs("its owner", &|watch| chown(watch.at("d/f"), Some(1), None).expect("we are root"));
    }
    repairs("renamed", &|watch| fs::rename(watch.at("d/f"), watch.at("d/elsewhere")).expect("it existed"));
    repairs("replaced by a link", &|watch| {
        fs::remove_file(watch.at("d/f")).expect("it existed");
        symlink("elsewhere", watch.at("d/f")).expect("a link");
    });
    repairs("replaced by another file", &|watch| {
        watch.write("d/other", "wrong\n");
        fs::rename(watch.at("d/other"), watch.at("d/f")).expect("it existed");
    });
    repairs("its parent moved away", &|watch| {
        fs::rename(watch.at("d"), watch.at("gone")).expect("it existed");
    });
}

#[test]
fn a_copy_follows_its_source() {
    let site = r#"file "DIR/copy" { source = "DIR/sub/source" }"#;
    let watch = Watched::after(site, |sandbox| {
        fs::create_dir(sandbox.at("real")).expect("a directory");
        symlink("real", sandbox.at("sub")).expect("a link");
        sandbox.write("real/source", "one");
    });
    // Each time it is truncated and then written: neither may be missed, also during a visit.
    for text in (0..50).map(|number| number.to_string()) {
        watch.write("real/source", &text);
        watch.awaits("its source was changed", |watch| watch.read("copy").as_ref() == Some(&text));
    }
    // The path of the source contains a link.
    fs::create_dir(watch.at("other")).expect("a directory");
    watch.write("other/source", "three");
    fs::remove_file(watch.at("sub")).expect("a link");
    symlink("other", watch.at("sub")).expect("a link");
    watch.awaits("the link on the way leads elsewhere", |watch| {
        watch.read("copy").as_deref() == Some("three")
    });
}

#[test]
fn a_directory_is_created_again() {
    let watch = Watched::new("directory \"DIR/a/b\" {\n mode = \"0750\"\n recursive = true\n}");
    let is_right = |watch: &Watched| mode(watch, "a/b") == 0o750;
    watch.repairs("removed", |watch| fs::remove_dir(watch.at("a/b")).expect("it is empty"), is_right);
    watch.repairs("its mode", |watch| set_mode(watch, "a/b", 0o777), is_right);
    watch.repairs(
        "its parent moved away",
        |watch| fs::rename(watch.at("a"), watch.at("away")).expect("it existed"),
        is_right,
    );
    watch.until_idle();
    watch.write("a/b/stranger", "");
    assert_eq!(watch.visited(), [""; 0], "what is inside does not count");
}

#[test]
fn an_unmanaged_entry_is_purged_at_any_depth() {
    let site = r#"
        directory "DIR/d" { purge = true }
        file "DIR/d/sub/managed" { content = "" }"#;
    let watch = Watched::after(site, |sandbox| fs::create_dir_all(sandbox.at("d/sub")).expect("directories"));
    for name in ["d/stranger", "d/sub/stranger"] {
        watch.write(name, "");
        watch.awaits(name, |watch| !watch.exists(name));
    }
    // Moved in complete, because a tree that is created step by step is purged meanwhile.
    fs::create_dir_all(watch.at("new/deep")).expect("directories");
    watch.write("new/deep/stranger", "");
    fs::rename(watch.at("new"), watch.at("d/new")).expect("the same file system");
    watch.awaits("a directory of strangers", |watch| !watch.exists("d/new"));
    assert!(watch.exists("d/sub/managed"));
}

/// The directory is declared as before, but its entry no longer is.
#[test]
fn an_entry_no_longer_declared_is_purged() {
    let both = "directory \"DIR/d\" { purge = true }\nfile \"DIR/d/f\" { content = \"\" }";
    let watch = Watched::new(both);
    assert!(watch.exists("d/f"));
    watch.rewrite("directory \"DIR/d\" { purge = true }");
    watch.awaits("it is nobody's any more", |watch| !watch.exists("d/f"));
}

#[test]
fn a_link_is_put_back() {
    let watch = Watched::new(r#"link "DIR/link" { to = "target" }"#);
    let is_right =
        |watch: &Watched| fs::read_link(watch.at("link")).is_ok_and(|to| to.as_os_str() == "target");
    let remove = |watch: &Watched| fs::remove_file(watch.at("link")).expect("it existed");
    watch.repairs("removed", remove, is_right);
    watch.repairs(
        "leads elsewhere",
        |watch| (remove(watch), symlink("other", watch.at("link")).expect("a link")).1,
        is_right,
    );
    watch.repairs("a file instead", |watch| (remove(watch), watch.write("link", "")).1, is_right);
    watch.until_idle();
    watch.write("target", "");
    watch.write("target", "a line of a log\n");
    assert_eq!(watch.visited(), [""; 0], "where it leads does not count");
}

#[test]
fn a_hard_link_follows_its_file() {
    let site = "link \"DIR/hard\" {\n to = \"file\"\n type = \"hard\"\n}";
    let watch = Watched::after(site, |sandbox| sandbox.write("file", "one"));
    let is_right = |watch: &Watched| {
        let inode = |name: &str| watch.at(name).metadata().map(|found| found.ino()).ok();
        inode("hard").is_some() && inode("hard") == inode("file")
    };
    watch.repairs("removed", |watch| fs::remove_file(watch.at("hard")).expect("it existed"), is_right);
    let replace = |watch: &Watched| {
        watch.write("new", "two");
        fs::rename(watch.at("new"), watch.at("file")).expect("it existed");
    };
    watch.repairs("its file was replaced", replace, is_right);
    assert_eq!(watch.read("hard").as_deref(), Some("two"));
}

#[test]
fn a_line_is_put_back() {
    let site = "line \"setting\" {\n file = \"DIR/conf\"\n match = \"^port\"\n line = \"port = 80\"\n}";
    let watch = Watched::after(site, |sandbox| sandbox.write("conf", "name = app\n"));
    let replace = |text: &str| {
        watch.write("new", text);
        fs::rename(watch.at("new"), watch.at("conf")).expect("it was written");
    };
    let becomes = |text: &str| watch.awaits(text, |watch| watch.read("conf").as_deref() == Some(text));
    replace("name = app\nport = 81\n");
    becomes("name = app\nport = 80\n");
    replace("name = other\n");
    becomes("name = other\nport = 80\n");
}

/// Writing in place truncates the file first; a repair at that moment would lose the content that follows.
#[test]
fn a_file_is_not_changed_while_it_is_being_written() {
    let site = "line \"setting\" {\n file = \"DIR/conf\"\n line = \"port = 80\"\n}";
    let watch = Watched::after(site, |sandbox| sandbox.write("conf", ""));
    for number in 0..8 {
        let mut writer = fs::File::create(watch.at("conf")).expect("it exists");
        for piece in ["name", " = ", &format!("{number}\n")] {
            thread::sleep(Duration::from_millis(20));
            writer.write_all(piece.as_bytes()).expect("there is room");
        }
        drop(writer);
        let whole = format!("name = {number}\nport = 80\n");
        watch.awaits(&whole, |watch| watch.read("conf").as_ref() == Some(&whole));
        // It checks its own write once more; writes meanwhile are not part of this test.
        watch.await_line(r#""verdict":"changed""#);
    }
}

/// A new account wakes the resources that wait for it, and no others.
#[test]
fn a_missing_owner_is_waited_for() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let site = "file \"/a\" {\n content = \"\"\n owner = \"app\"\n}\nfile \"/b\" {\n content = \"\"\n owner = \"root\"\n}";
    let watch = Watched::begin(site, &["--root", "DIR"], |sandbox| {
        fs::create_dir(sandbox.at("etc")).expect("a directory");
        sandbox.write("etc/passwd", "root:x:0:0::/:/bin/sh\n");
    });
    // The backoff grows with each failure.
    watch.await_line(r#""failures":3"#);
    watch.write("etc/passwd", "root:x:0:0::/:/bin/sh\napp:x:7:7::/:/bin/sh\n");
    let lines = watch.await_line(r#""@message":"file[\"/a\"]: created"#);
    assert!(lines.iter().any(|line| line.contains(r#""subject":"/etc/passwd""#)), "{}", lines.join("\n"));
    assert_eq!(watch.at("a").metadata().expect("it was made").uid(), 7);
    watch.until_idle();
    watch.write("etc/passwd", "root:x:0:0::/:/bin/sh\napp:x:7:7::/:/bin/sh\nann:x:8:8::/:/bin/sh\n");
    assert_eq!(watch.visited(), [""; 0]);
}
