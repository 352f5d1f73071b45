//! Kinds that have a path.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::thread;
use std::time::Duration;

use crate::held::Held;

fn mode(held: &Held, name: &str) -> u32 {
    held.at(name).symlink_metadata().map_or(0, |found| found.mode() & 0o7777)
}

fn set_mode(held: &Held, name: &str, mode: u32) {
    fs::set_permissions(held.at(name), fs::Permissions::from_mode(mode)).expect(name);
}

/// The seven ways: overwritten, removed, another mode, another owner, renamed, replaced by a link, its parent moved away.
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
    let held = Held::new(&text.replace("UID", &uid.to_string()));
    let is_right = |held: &Held| {
        let found = held.at("d/f").symlink_metadata();
        let is_file = found.is_ok_and(|found| found.is_file() && found.uid() == uid);
        is_file && mode(held, "d/f") == 0o640 && held.read("d/f").as_deref() == Some("right\n")
    };
    let repairs = |what: &str, tamper: &dyn Fn(&Held)| held.repairs(what, tamper, is_right);
    repairs("overwritten", &|held| held.write("d/f", "wrong\n"));
    repairs("removed", &|held| fs::remove_file(held.at("d/f")).expect("it was there"));
    repairs("its mode", &|held| set_mode(held, "d/f", 0o666));
    if uid == 0 {
        repairs("its owner", &|held| chown(held.at("d/f"), Some(1), None).expect("we are root"));
    }
    repairs("renamed", &|held| fs::rename(held.at("d/f"), held.at("d/elsewhere")).expect("it was there"));
    repairs("replaced by a link", &|held| {
        fs::remove_file(held.at("d/f")).expect("it was there");
        symlink("elsewhere", held.at("d/f")).expect("a link");
    });
    repairs("replaced by another file", &|held| {
        held.write("d/other", "wrong\n");
        fs::rename(held.at("d/other"), held.at("d/f")).expect("it was there");
    });
    repairs("its parent moved away", &|held| {
        fs::rename(held.at("d"), held.at("gone")).expect("it was there");
    });
}

#[test]
fn a_copy_follows_its_source() {
    let site = r#"file "DIR/copy" { source = "DIR/sub/source" }"#;
    let held = Held::after(site, |ground| {
        fs::create_dir(ground.at("real")).expect("a directory");
        symlink("real", ground.at("sub")).expect("a link");
        ground.write("real/source", "one");
    });
    // Each time it is emptied first, and written then: neither may be missed, whatever is being done meanwhile.
    for text in (0..50).map(|number| number.to_string()) {
        held.write("real/source", &text);
        held.awaits("its source was changed", |held| held.read("copy").as_ref() == Some(&text));
    }
    // The path that is read leads through a link.
    fs::create_dir(held.at("other")).expect("a directory");
    held.write("other/source", "three");
    fs::remove_file(held.at("sub")).expect("a link");
    symlink("other", held.at("sub")).expect("a link");
    held.awaits("the link on the way leads elsewhere", |held| held.read("copy").as_deref() == Some("three"));
}

#[test]
fn a_directory_is_created_again() {
    let held = Held::new("directory \"DIR/a/b\" {\n mode = \"0750\"\n recursive = true\n}");
    let is_right = |held: &Held| mode(held, "a/b") == 0o750;
    held.repairs("removed", |held| fs::remove_dir(held.at("a/b")).expect("it is empty"), is_right);
    held.repairs("its mode", |held| set_mode(held, "a/b", 0o777), is_right);
    held.repairs(
        "its parent moved away",
        |held| fs::rename(held.at("a"), held.at("away")).expect("it was there"),
        is_right,
    );
    held.until_calm();
    held.write("a/b/stranger", "");
    assert_eq!(held.visited(), [""; 0], "what is inside does not count");
}

#[test]
fn an_unmanaged_entry_is_purged_at_any_depth() {
    let site = r#"
        directory "DIR/d" { purge = true }
        file "DIR/d/sub/managed" { content = "" }"#;
    let held = Held::after(site, |ground| fs::create_dir_all(ground.at("d/sub")).expect("directories"));
    for name in ["d/stranger", "d/sub/stranger"] {
        held.write(name, "");
        held.awaits(name, |held| !held.exists(name));
    }
    // Complete at once: what is made step by step is swept while it is made.
    fs::create_dir_all(held.at("new/deep")).expect("directories");
    held.write("new/deep/stranger", "");
    fs::rename(held.at("new"), held.at("d/new")).expect("the same file system");
    held.awaits("a directory of strangers", |held| !held.exists("d/new"));
    assert!(held.exists("d/sub/managed"));
}

/// The directory is declared as before, but what it has to keep is not.
#[test]
fn an_entry_no_longer_declared_is_purged() {
    let both = "directory \"DIR/d\" { purge = true }\nfile \"DIR/d/f\" { content = \"\" }";
    let held = Held::new(both);
    assert!(held.exists("d/f"));
    held.rewrite("directory \"DIR/d\" { purge = true }");
    held.awaits("it is nobody's any more", |held| !held.exists("d/f"));
}

#[test]
fn a_link_is_put_back() {
    let held = Held::new(r#"link "DIR/link" { to = "target" }"#);
    let is_right = |held: &Held| fs::read_link(held.at("link")).is_ok_and(|to| to.as_os_str() == "target");
    let remove = |held: &Held| fs::remove_file(held.at("link")).expect("it was there");
    held.repairs("removed", remove, is_right);
    held.repairs(
        "leads elsewhere",
        |held| (remove(held), symlink("other", held.at("link")).expect("a link")).1,
        is_right,
    );
    held.repairs("a file instead", |held| (remove(held), held.write("link", "")).1, is_right);
    held.until_calm();
    held.write("target", "");
    held.write("target", "a line of a log\n");
    assert_eq!(held.visited(), [""; 0], "where it leads does not count");
}

#[test]
fn a_hard_link_follows_its_file() {
    let site = "link \"DIR/hard\" {\n to = \"file\"\n type = \"hard\"\n}";
    let held = Held::after(site, |ground| ground.write("file", "one"));
    let is_right = |held: &Held| {
        let inode = |name: &str| held.at(name).metadata().map(|found| found.ino()).ok();
        inode("hard").is_some() && inode("hard") == inode("file")
    };
    held.repairs("removed", |held| fs::remove_file(held.at("hard")).expect("it was there"), is_right);
    let replace = |held: &Held| {
        held.write("new", "two");
        fs::rename(held.at("new"), held.at("file")).expect("it was there");
    };
    held.repairs("its file was replaced", replace, is_right);
    assert_eq!(held.read("hard").as_deref(), Some("two"));
}

#[test]
fn a_line_is_put_back() {
    let site = "line \"setting\" {\n file = \"DIR/conf\"\n match = \"^port\"\n line = \"port = 80\"\n}";
    let held = Held::after(site, |ground| ground.write("conf", "name = app\n"));
    let replace = |text: &str| {
        held.write("new", text);
        fs::rename(held.at("new"), held.at("conf")).expect("it was written");
    };
    let becomes = |text: &str| held.awaits(text, |held| held.read("conf").as_deref() == Some(text));
    replace("name = app\nport = 81\n");
    becomes("name = app\nport = 80\n");
    replace("name = other\n");
    becomes("name = other\nport = 80\n");
}

/// Who writes a text in place empties it first. To act then would throw away what is about to come.
#[test]
fn a_file_is_not_changed_while_it_is_being_written() {
    let site = "line \"setting\" {\n file = \"DIR/conf\"\n line = \"port = 80\"\n}";
    let held = Held::after(site, |ground| ground.write("conf", ""));
    for number in 0..8 {
        let mut writer = fs::File::create(held.at("conf")).expect("it is there");
        for piece in ["name", " = ", &format!("{number}\n")] {
            thread::sleep(Duration::from_millis(20));
            writer.write_all(piece.as_bytes()).expect("there is room");
        }
        drop(writer);
        let whole = format!("name = {number}\nport = 80\n");
        held.awaits(&whole, |held| held.read("conf").as_ref() == Some(&whole));
        // It looks once more at what it did: whoever writes meanwhile is another story.
        held.await_line(r#""verdict":"changed""#);
    }
}

/// Whoever waits for an account is woken by it; whoever has one is not woken by others.
#[test]
fn a_missing_owner_is_waited_for() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let site = "file \"/a\" {\n content = \"\"\n owner = \"app\"\n}\nfile \"/b\" {\n content = \"\"\n owner = \"root\"\n}";
    let held = Held::begin(site, &["--root", "DIR"], |ground| {
        fs::create_dir(ground.at("etc")).expect("a directory");
        ground.write("etc/passwd", "root:x:0:0::/:/bin/sh\n");
    });
    // The longer it has failed, the later it is tried again by itself.
    held.await_line(r#""failures":3"#);
    held.write("etc/passwd", "root:x:0:0::/:/bin/sh\napp:x:7:7::/:/bin/sh\n");
    let told = held.await_line(r#""@message":"file[\"/a\"]: created"#);
    assert!(told.iter().any(|line| line.contains(r#""subject":"/etc/passwd""#)), "{}", told.join("\n"));
    assert_eq!(held.at("a").metadata().expect("it was made").uid(), 7);
    held.until_calm();
    held.write("etc/passwd", "root:x:0:0::/:/bin/sh\napp:x:7:7::/:/bin/sh\nann:x:8:8::/:/bin/sh\n");
    assert_eq!(held.visited(), [""; 0]);
}
