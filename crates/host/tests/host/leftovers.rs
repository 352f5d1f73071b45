//! Temporary files of killed runs, and of running ones.

use std::fs::File;
use std::os::unix::fs::{chown, symlink};
use std::path::PathBuf;

use rustix::fs::FlockOperation;
use uphold_resource::{FileEdits, Files};

use super::ground::{Ground, OTHER_USER, is_root, names, plain};

const LEFT: &str = ".a.uphold-0123456789abcdef";
const LEFT_TREE: &str = ".b.uphold-0123456789abcde0";
const LIVE: &str = ".c.uphold-0123456789abcde1";
const LIVE_TREE: &str = ".d.uphold-0123456789abcde2";

/// Locks the file as a process that is writing it does.
fn locked(path: PathBuf) -> File {
    let file = File::open(path).unwrap();
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared).unwrap();
    file
}

/// Leftovers of a file and a directory, and two temporary files that are in use.
fn plant(ground: &Ground, directory: &str) -> [File; 2] {
    let name = |name: &str| format!("{directory}/{name}");
    ground.file(&name("kept"), "", 0o600);
    ground.file(&name(LEFT), "secret", 0o600);
    ground.directory(&name(LEFT_TREE), 0o700);
    ground.file(&name(LIVE), "", 0o600);
    ground.directory(&name(LIVE_TREE), 0o700);
    [locked(ground.path(&name(LIVE))), locked(ground.path(&name(LIVE_TREE)))]
}

#[test]
fn removes_leftovers_but_not_files_in_use() {
    let ground = Ground::new();
    for mode in [0o755, 0o1777, 0o777] {
        let directory = ground.directory("d", mode);
        let live = plant(&ground, "d");
        ground.host.remove_leftovers(&directory);
        assert_eq!(names(&directory), [LIVE, LIVE_TREE, "kept"], "{mode:o}");
        drop(live);
        ground.host.remove_leftovers(&directory);
        assert_eq!(names(&directory), ["kept"], "{mode:o}");
    }
}

#[test]
fn keeps_other_names_and_new_links() {
    let ground = Ground::new();
    let directory = ground.directory("d", 0o755);
    let kept = [
        ".a.uphold-0123456789ABCDEF",
        ".a.uphold-0123456789abcde",
        ".a.uphold-backup-1",
        ".a.uphold-origin",
        ".a.uphold-partial",
        ".a.uphold-rejected",
        "a.uphold-0123456789abcdef",
    ];
    kept.iter().for_each(|name| _ = ground.file(&format!("d/{name}"), "", 0o600));
    // It cannot be locked: only its age shows whether it is about to be renamed.
    symlink("a", directory.join(".l.uphold-0123456789abcdef")).unwrap();
    ground.host.remove_leftovers(&directory);
    let mut expected = kept.to_vec();
    expected.insert(6, ".l.uphold-0123456789abcdef");
    assert_eq!(names(&directory), expected);
}

#[test]
fn removes_a_replaced_tree_everywhere() {
    let ground = Ground::new();
    for mode in [0o755, 0o1777, 0o777] {
        let directory = ground.directory("d", mode);
        ground.directory(&format!("d/{LEFT}"), 0o700);
        ground.directory(&format!("d/{LEFT}/uphold-replaced/deep"), 0o755);
        ground.file(&format!("d/{LEFT}/uphold-replaced/deep/file"), "", 0o600);
        ground.host.remove_leftovers(&directory);
        assert_eq!(names(&directory), Vec::<String>::new(), "{mode:o}");
    }
}

/// Other users can rename our directories there: one with such a name need not be temporary.
#[test]
fn keeps_full_directories_where_others_can_rename() {
    let ground = Ground::new();
    let directory = ground.directory("d", 0o777);
    ground.directory(&format!("d/{LEFT}/data"), 0o755);
    ground.host.remove_leftovers(&directory);
    assert_eq!(names(&directory), [LEFT]);
    let alone = ground.directory("alone", 0o755);
    ground.directory(&format!("alone/{LEFT}/data"), 0o755);
    ground.host.remove_leftovers(&alone);
    assert_eq!(names(&alone), Vec::<String>::new());
}

#[test]
fn keeps_files_of_others_in_shared_directories() {
    if !is_root("keeps_files_of_others_in_shared_directories") {
        return;
    }
    let ground = Ground::new();
    for (mode, left) in [(0o755, &[][..]), (0o1777, &[LEFT]), (0o777, &[LEFT])] {
        let directory = ground.directory("d", mode);
        let path = ground.file(&format!("d/{LEFT}"), "", 0o600);
        chown(&path, Some(OTHER_USER), None).unwrap();
        ground.host.remove_leftovers(&directory);
        assert_eq!(names(&directory), left, "{mode:o}");
    }
}

#[test]
fn the_first_write_in_a_directory_removes_leftovers() {
    let ground = Ground::new();
    let directory = ground.directory("d", 0o755);
    let path = directory.join("kept");
    let _live = plant(&ground, "d");
    ground.host.write(&path, &plain("new")).unwrap();
    assert_eq!(names(&directory), [LIVE, LIVE_TREE, "kept"]);
}

#[test]
fn does_not_list_own_temporary_files() {
    let ground = Ground::new();
    let directory = ground.directory("d", 0o777);
    let _live = plant(&ground, "d");
    assert_eq!(ground.host.list(&directory).unwrap(), ["kept"]);
    let seen = std::cell::RefCell::new(Vec::new());
    let verify = |candidate: &std::path::Path| {
        assert!(candidate.exists());
        *seen.borrow_mut() = ground.host.list(&directory)?;
        Ok(())
    };
    let file = uphold_resource::NewFile { verify: Some(&verify), ..plain("x") };
    ground.host.write(&directory.join("kept"), &file).unwrap();
    assert_eq!(*seen.borrow(), ["kept"]);
}

/// A cleanup by another host during a verification keeps the candidate.
#[test]
fn a_file_that_is_being_verified_is_in_use() {
    let ground = Ground::new();
    let directory = ground.directory("d", 0o755);
    let verify = |candidate: &std::path::Path| {
        uphold_host::LocalHost::new().remove_leftovers(&directory);
        assert!(candidate.exists());
        Ok(())
    };
    let file = uphold_resource::NewFile { verify: Some(&verify), ..plain("x") };
    ground.host.write(&directory.join("a"), &file).unwrap();
    assert_eq!(names(&directory), ["a"]);
}
