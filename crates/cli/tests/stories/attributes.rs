//! Modes and owners: file-mode, file-owner and exec-usergroup.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use super::folder::Folder;

/// Only root can change owners; other users skip these tests.
fn is_root(folder: &Folder) -> bool {
    fs::metadata(folder.at("")).expect("a directory").uid() == 0
}

/// file-mode: octal, as a number or as a string; drift is repaired.
#[test]
fn modes_are_octal_and_repaired() {
    let folder = Folder::with(
        r#"
file "DIR/number" { mode = 0o741 }
file "DIR/text" { mode = "0614" }
"#,
    );
    let mode = |name: &str| fs::metadata(folder.at(name)).expect(name).mode() & 0o7777;
    let watch = folder.watch();
    assert_eq!((mode("number"), mode("text")), (0o741, 0o614));
    let kept = folder.traces("number").0;
    fs::set_permissions(folder.at("number"), Permissions::from_mode(0o644)).expect("it is ours");
    watch.awaits("its mode", || (mode("number") == 0o741).then_some(()));
    assert_eq!(watch.visits_until_idle(), ["number changed: change_detected"]);
    assert_eq!(folder.traces("number").0, kept, "a mode does not need another file");
}

/// file-owner: by name, and by number.
#[test]
fn owners_are_repaired() {
    let folder = Folder::with(
        r#"
file "DIR/root" {
  owner = "root"
  group = "root"
}
file "DIR/numbers" {
  owner = 1
  group = 2
}
"#,
    );
    if !is_root(&folder) {
        return;
    }
    let owner = |name: &str| fs::metadata(folder.at(name)).map(|about| (about.uid(), about.gid())).ok();
    let watch = folder.watch();
    assert_eq!((owner("root"), owner("numbers")), (Some((0, 0)), Some((1, 2))));
    for (name, right) in [("root", (0, 0)), ("numbers", (1, 2))] {
        chown(folder.at(name), Some(5), Some(5)).expect("root may do that");
        watch.awaits(name, || (owner(name) == Some(right)).then_some(()));
        assert_eq!(watch.visits_until_idle(), [format!("{name} changed: change_detected")]);
    }
}

/// exec-usergroup, five ways: user, group, both, by name and by number.
#[test]
fn commands_run_as_another_user() {
    let nobody = 65_534;
    let ways = [
        ("user", r#"user = "nobody""#, (nobody, nobody)),
        ("number", "user = 65534", (nobody, nobody)),
        ("group", r#"group = "nogroup""#, (0, nobody)),
        ("both", "user = \"nobody\"\n  group = \"nogroup\"", (nobody, nobody)),
        ("mixed", "user = \"nobody\"\n  group = 0", (nobody, 0)),
    ];
    let block = |(name, who, _): &(&str, &str, (u32, u32))| {
        format!(
            "task \"{name}\" {{\n  creates = \"DIR/open/{name}\"\n  apply   = \"touch DIR/open/{name}\"\n  {who}\n}}\n"
        )
    };
    let folder = Folder::with(&ways.iter().map(block).collect::<String>());
    if !is_root(&folder) {
        return;
    }
    folder.make_dir("open");
    fs::set_permissions(folder.at("open"), Permissions::from_mode(0o777)).expect("it is ours");
    fs::set_permissions(folder.home(""), Permissions::from_mode(0o755)).expect("it is ours");
    assert_eq!(folder.converge(&[]).code, 0);
    for (name, _, owner) in ways {
        let about = fs::metadata(folder.at("open").join(name)).expect(name);
        assert_eq!((about.uid(), about.gid()), owner, "{name}");
    }
}
