use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use uphold_host::LocalHost;
use uphold_resource::{Access, Command, Commands, EntryKind, ErrorKind, Exit, FileEdits, Files, Probes};

use super::ground::{Ground, is_root, names, plain, refused, set_access, text, with_mode};

/// A root directory beside a directory that must not be changed.
struct Cell {
    ground: Ground,
    host: LocalHost,
}

impl Cell {
    fn new() -> Self {
        let ground = Ground::new();
        let root = ground.directory("root", 0o755);
        ground.directory("root/etc", 0o755);
        ground.directory("outside", 0o755);
        ground.file("outside/file", "outside", 0o644);
        Self { host: LocalHost::rooted(&root).unwrap(), ground }
    }

    fn inside(&self, path: &str) -> PathBuf {
        self.ground.path(&format!("root{path}"))
    }
}

#[test]
fn paths_start_at_the_root() {
    let cell = Cell::new();
    cell.host.write(Path::new("/etc/motd"), &with_mode("hello", 0o644)).unwrap();
    assert_eq!(text(&cell.inside("/etc/motd")), "hello");
    for path in ["/etc/motd", "etc/motd", "/../../etc/motd", "/etc/../../etc/motd"] {
        assert_eq!(cell.host.read(Path::new(path), 5).unwrap(), b"hello", "{path}");
    }
    assert_eq!(cell.host.look(Path::new("/etc/motd")).unwrap().unwrap().size, 5);
    assert_eq!(cell.host.look(Path::new("/outside/file")).unwrap(), None);
    assert_eq!(cell.host.list(Path::new("/")).unwrap(), ["etc"]);
    assert_eq!(cell.host.list(Path::new("/..")).unwrap(), ["etc"]);
    cell.host.make_directory(Path::new("/a"), &Access::default()).unwrap();
    cell.host.make_link(Path::new("/a/link"), Path::new("/etc")).unwrap();
    cell.host.make_hard_link(Path::new("/a/hard"), Path::new("/etc/motd")).unwrap();
    cell.host.copy(Path::new("/etc/motd"), Path::new("/a/copy")).unwrap();
    assert_eq!(names(&cell.inside("/a")), ["copy", "hard", "link"]);
    cell.host.remove_tree(Path::new("/a")).unwrap();
    cell.host.remove_file(Path::new("/etc/motd")).unwrap();
    cell.host.remove_directory(Path::new("/etc")).unwrap();
    set_access(&cell.host, Path::new("/"), &Access { mode: Some(0o711), ..Access::default() }).unwrap();
    assert_eq!(crate::host::ground::mode(&cell.inside("")), 0o711);
}

#[test]
fn links_stay_inside() {
    let cell = Cell::new();
    let outside = cell.ground.path("outside");
    symlink(&outside, cell.inside("/absolute")).unwrap();
    symlink("../../../../../../../..", cell.inside("/up")).unwrap();
    symlink("/etc", cell.inside("/etc-again")).unwrap();
    refused(cell.host.write(Path::new("/absolute/file"), &plain("x")), ErrorKind::ParentMissing);
    refused(cell.host.read(Path::new("/absolute/file"), 7), ErrorKind::Missing);
    refused(cell.host.remove_file(Path::new("/absolute/file")), ErrorKind::ParentMissing);
    let up = Path::new("/up").join(outside.strip_prefix("/").unwrap()).join("file");
    refused(cell.host.write(&up, &plain("x")), ErrorKind::ParentMissing);
    refused(cell.host.read(&up, 7), ErrorKind::Missing);
    cell.host.write(Path::new("/etc-again/file"), &plain("in")).unwrap();
    cell.host.write(Path::new("/up/etc/other"), &plain("in")).unwrap();
    assert_eq!(names(&cell.inside("/etc")), ["file", "other"]);
    assert_eq!(cell.host.read(Path::new("/etc-again/file"), 0).unwrap(), b"in");
    assert_eq!(text(&outside.join("file")), "outside");
    assert_eq!(names(&outside), ["file"]);
    let kind = cell.host.look(Path::new("/absolute")).unwrap().unwrap().kind;
    assert_eq!(kind, EntryKind::Link(outside));
}

#[test]
fn does_not_follow_planted_links_inside() {
    let cell = Cell::new();
    let open = cell.ground.directory("root/tmp", 0o1777);
    symlink("/etc", open.join("sub")).unwrap();
    refused(cell.host.write(Path::new("/tmp/sub/passwd"), &plain("x")), ErrorKind::UnsafeLink);
    assert_eq!(names(&cell.inside("/etc")), [""; 0]);
}

#[test]
fn the_root_must_be_a_directory() {
    let ground = Ground::new();
    let error = refused(LocalHost::rooted(&ground.path("none")), ErrorKind::Missing);
    assert_eq!(error.advice(), Some("create the directory first"));
    let error = refused(LocalHost::rooted(&ground.file("file", "", 0o600)), ErrorKind::Failed);
    assert!(error.advice().unwrap().starts_with("give a directory"), "{:?}", error.advice());
}

#[test]
fn commands_need_root() {
    if rustix::process::geteuid().is_root() {
        crate::host::ground::skipped("commands_need_root", "this is root");
        return;
    }
    let cell = Cell::new();
    let error = refused(cell.host.run(&Command::shell("true")), ErrorKind::Denied);
    assert_eq!(error.advice(), Some("run Uphold as root"));
}

/// The machine's own root, used as another one through a second path: programs can run there.
#[test]
fn commands_run_inside() {
    if !is_root("commands_run_inside") {
        return;
    }
    let host = LocalHost::rooted(Path::new("/proc/self/root")).unwrap();
    let run = |command: Command| {
        let output = host.run(&command).unwrap();
        (output.exit, String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(run(Command::shell("pwd")), (Exit::Code(0), "/\n".into()));
    let dir = Some(PathBuf::from("/etc"));
    assert_eq!(run(Command { dir, ..Command::new("pwd", [""; 0]) }), (Exit::Code(0), "/etc\n".into()));
    let run_as = Some((crate::host::ground::OTHER_USER, crate::host::ground::OTHER_USER));
    let dir = Some(PathBuf::from("/usr"));
    let script = "echo $(id -u):$(id -g):$(id -G) $X $(pwd); cat; exit 3";
    let env = [("X".to_owned(), "y z".to_owned())].into();
    let stdin = Some(b"fed".to_vec());
    let command = Command { dir, run_as, env, stdin, ..Command::shell(script) };
    assert_eq!(run(command), (Exit::Code(3), "12345:12345:12345 y z /usr\nfed".into()));
    let dir = Some(PathBuf::from("/none"));
    let error = refused(host.run(&Command { dir, ..Command::shell("true") }), ErrorKind::Missing);
    assert!(error.chain().contains("/none"), "{}", error.chain());
}

#[test]
fn names_programs_that_are_missing_inside() {
    if !is_root("names_programs_that_are_missing_inside") {
        return;
    }
    let cell = Cell::new();
    for program in ["/bin/sh", "ls"] {
        let error = refused(cell.host.probe(&Command::new(program, [""; 0])), ErrorKind::Missing);
        assert!(error.chain().contains(program), "{}", error.chain());
        let place = format!("inside the root directory {}", cell.inside("").display());
        assert!(error.chain().contains(&place), "{}", error.chain());
        assert!(error.advice().unwrap().contains("a shell in it"), "{:?}", error.advice());
    }
    cell.ground.directory("root/bin", 0o755);
    cell.ground.file("root/bin/ls", "", 0o755);
    let command = Command { dir: Some(PathBuf::from("/etc")), ..Command::new("/bin/ls", [""; 0]) };
    let error = refused(cell.host.probe(&command), ErrorKind::Missing);
    assert!(error.chain().contains("cannot run /bin/sh"), "{}", error.chain());
}
