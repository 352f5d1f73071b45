use std::io::Read;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;

use uphold_host::{check_trusted, open_trusted};
use uphold_resource::ErrorKind;

use super::ground::{Ground, OTHER_USER, chmod, fifo, is_root, refused};

#[test]
fn trusts_an_own_file_in_an_own_directory() {
    let ground = Ground::new();
    let path = ground.file("plan", "content", 0o644);
    check_trusted(&path).unwrap();
    check_trusted(path.parent().unwrap()).unwrap();
    symlink(&path, ground.path("link")).unwrap();
    let mut content = String::new();
    open_trusted(&ground.path("link")).unwrap().read_to_string(&mut content).unwrap();
    assert_eq!(content, "content");
}

#[test]
fn distrusts_files_and_directories_of_others() {
    if !is_root("distrusts_files_and_directories_of_others") {
        return;
    }
    let ground = Ground::new();
    let directory = ground.directory("d", 0o755);
    let path = ground.file("d/plan", "", 0o600);
    let check = |changed: &Path, owner: (u32, u32), mode: u32, expected: Option<&str>| {
        chown(changed, Some(owner.0), Some(owner.1)).unwrap();
        chmod(changed, mode);
        for result in [check_trusted(&path), open_trusted(&path).map(drop)] {
            match expected {
                None => result.unwrap(),
                Some(expected) => {
                    let text = refused(result, ErrorKind::Rejected).to_string();
                    assert!(text.contains(expected), "{text}");
                    assert!(text.starts_with(&format!("{} is not trusted: ", path.display())), "{text}");
                }
            }
        }
        chown(changed, Some(0), Some(0)).unwrap();
        chmod(changed, 0o700);
    };
    let place = directory.display().to_string();
    check(&path, (OTHER_USER, 0), 0o600, Some("it belongs to uid 12345"));
    check(&path, (0, OTHER_USER), 0o644, None);
    check(&path, (0, OTHER_USER), 0o664, Some("others can write it"));
    check(&path, (0, 0), 0o602, Some("others can write it"));
    // A group of the distribution without members, such as `staff` of `/usr/local`.
    if let Some(group) = memberless_group() {
        check(&path, (0, group), 0o664, None);
    }
    check(&directory, (OTHER_USER, 0), 0o755, Some(&format!("{place} belongs to uid 12345")));
    check(&directory, (OTHER_USER, 0), 0o1777, Some(&format!("{place} belongs to uid 12345")));
    check(&directory, (0, OTHER_USER), 0o775, Some(&format!("others can write {place}")));
    check(&directory, (0, 0), 0o777, Some(&format!("others can write {place}")));
    check(&directory, (0, 0), 0o1777, None);
}

/// A group of the distribution without members.
fn memberless_group() -> Option<u32> {
    let groups = std::fs::read_to_string("/etc/group").ok()?;
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let is_primary = |id: &str| users.lines().any(|user| user.split(':').nth(3) == Some(id));
    groups.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        let [_, _, id, ""] = fields[..] else { return None };
        id.parse().ok().filter(|number| (1..100).contains(number) && !is_primary(id))
    })
}

#[test]
fn distrusts_a_link_in_a_sticky_directory() {
    let ground = Ground::new();
    let path = ground.file("plan", "", 0o600);
    let sticky = ground.directory("sticky", 0o1777);
    symlink(&path, sticky.join("link")).unwrap();
    refused(check_trusted(&sticky.join("link")), ErrorKind::Rejected);
    refused(open_trusted(&sticky.join("link")), ErrorKind::Rejected);
}

#[test]
fn distrusts_access_lists_for_other_users() {
    if !is_root("distrusts_access_lists_for_other_users") {
        return;
    }
    let ground = Ground::new();
    let path = ground.file("plan", "", 0o600);
    let entry = |tag: u16, permissions: u16, id: u32| {
        [&tag.to_le_bytes()[..], &permissions.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    let list = [
        2u32.to_le_bytes().to_vec(),
        entry(0x01, 6, u32::MAX),
        entry(0x02, 6, OTHER_USER),
        entry(0x04, 0, u32::MAX),
        entry(0x10, 6, u32::MAX),
        entry(0x20, 0, u32::MAX),
    ];
    let flags = rustix::fs::XattrFlags::empty();
    rustix::fs::setxattr(&path, "system.posix_acl_access", &list.concat(), flags).unwrap();
    refused(open_trusted(&path), ErrorKind::Rejected);
}

#[test]
fn opens_only_regular_files() {
    let ground = Ground::new();
    fifo(&ground.path("pipe"));
    refused(open_trusted(&ground.path("pipe")), ErrorKind::WrongType);
    refused(open_trusted(&ground.directory("d", 0o700)), ErrorKind::WrongType);
    refused(open_trusted(Path::new("/")), ErrorKind::WrongType);
    refused(open_trusted(&ground.path("none")), ErrorKind::Missing);
}
