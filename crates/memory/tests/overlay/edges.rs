//! Cases that are rare in random tests. Each is run on the real machine and on overlays, whose results must be equal to each
//! other and to those written here.

use std::path::{Path, PathBuf};

use uphold_memory::MemoryHost;
use uphold_resource::{Access, Act, ErrorKind};

use super::ground::{Local, is_root, memory};
use super::mode;
use super::script::Op;
use super::view::{answers, view};

fn write(path: &str, content: &str) -> Op {
    Op::Write { path: path.into(), content: content.into(), access: Access::default(), replace_other: false }
}

fn given(path: &str, access: Access) -> Op {
    Op::Write { path: path.into(), content: "new".into(), access, replace_other: false }
}

fn replace(path: &str) -> Op {
    Op::Write { path: path.into(), content: "over".into(), access: Access::default(), replace_other: true }
}

fn link(path: &str, target: &str) -> Op {
    Op::MakeLink(path.into(), target.into())
}

fn hard(path: &str, target: &str) -> Op {
    Op::MakeHardLink(path.into(), target.into())
}

fn make(path: &str) -> Op {
    Op::MakeDirectory(path.into(), mode(0o755))
}

fn set(path: &str, access: Access) -> Op {
    Op::SetAccess(path.into(), access)
}

fn owner(uid: u32) -> Access {
    Access { mode: None, uid: Some(uid), gid: None }
}

fn group(gid: u32) -> Access {
    Access { mode: None, uid: None, gid: Some(gid) }
}

fn remove(path: &str) -> Op {
    Op::RemoveFile(path.into())
}

fn clear(path: &str) -> Op {
    Op::RemoveTree(path.into())
}

fn leave(path: &str) -> Op {
    Op::RemoveDirectory(path.into())
}

/// The result of the last edit, and the final state of `path`.
fn play(host: &Act<'_>, script: &[Op], path: &str) -> (String, String) {
    let mut last = String::new();
    for op in script {
        last = format!("{:?}", op.apply(host).map(drop));
    }
    (last, answers(host.files(), Path::new(path)))
}

/// The base machines of the overlays.
struct Bench {
    local: Local,
    memory: MemoryHost,
}

impl Bench {
    /// `None` unless we are root, who alone can change owners and is never denied anything.
    fn new() -> Option<Self> {
        let bench = Self { local: Local::furnished(), memory: memory() };
        is_root(&bench.local.host.act()).then_some(bench)
    }

    /// Runs a script on this machine, on overlays of it and of memory, and on an overlay of an overlay.
    fn check(&self, script: &[Op], path: &str, ending: Result<(), ErrorKind>, answer: &str) {
        let real = self.local.copy();
        let expected = play(&real.host.act(), script, path);
        assert_eq!(expected, (format!("{ending:?}"), answer.to_owned()), "this machine: {script:?}");
        let seen = view(&*real.host.files, false);
        let overlay = self.local.host.overlay();
        let on_memory = self.memory.act().overlay();
        let lower = self.local.host.overlay();
        let upper = lower.overlay();
        for (name, host) in [("of this", &overlay), ("of memory", &on_memory), ("of an overlay", &upper)] {
            assert_eq!(play(&host.act(), script, path), expected, "{name}: {script:?}");
            assert_eq!(view(&*host.files, false), seen, "{name}: {script:?}");
        }
    }
}

const ABSENT: &str = "Ok(None) Err(Missing) Err(Missing)";

fn file(mode: u32, uid: u32, gid: u32, content: &str) -> String {
    format!("Ok(Some((File, {mode}, {uid}, {gid}))) Err(WrongType) Ok({content:?})")
}

fn directory(mode: u32, names: &[&str]) -> String {
    format!("Ok(Some((Directory, {mode}, 0, 0))) Ok({names:?}) Err(WrongType)")
}

#[test]
fn replaced_files_keep_their_attributes() {
    let Some(bench) = Bench::new() else { return };
    bench.check(&[write("/new", "n")], "/new", Ok(()), &file(0o600, 0, 0, "n"));
    bench.check(&[write("/e", "n")], "/e", Ok(()), &file(0o755, 1000, 1, "n"));
    bench.check(&[write("/a/a", "n")], "/a/a", Ok(()), &file(0o4755, 0, 0, "n"));
    bench.check(&[write("/a/a", "n")], "/a/d", Ok(()), &file(0o4755, 0, 0, "/a/a"));
    bench.check(&[given("/a/a", owner(7))], "/a/a", Ok(()), &file(0o755, 7, 0, "new"));
    bench.check(&[given("/a/a", group(7))], "/a/a", Ok(()), &file(0o4755, 0, 7, "new"));
    bench.check(
        &[set("/a/a", mode(0o6755)), given("/a/a", group(7))],
        "/a/a",
        Ok(()),
        &file(0o4755, 0, 7, "new"),
    );
    bench.check(&[given("/a/a", mode(0o6711))], "/a/a", Ok(()), &file(0o6711, 0, 0, "new"));
    bench.check(&[write("/c/new", "n")], "/c/new", Ok(()), &file(0o600, 0, 1, "n"));
}

#[test]
fn hard_links_share_their_access() {
    let Some(bench) = Bench::new() else { return };
    bench.check(&[set("/a/a", mode(0o600))], "/b/a", Ok(()), &file(0o600, 0, 0, "/a/a"));
    bench.check(&[set("/a/a", owner(7))], "/b/a", Ok(()), &file(0o755, 7, 0, "/a/a"));
    bench.check(&[set("/a/a", mode(0o600)), remove("/a/a")], "/l/d", Ok(()), &file(0o600, 0, 0, "/a/a"));
    bench.check(&[hard("/x", "/e"), set("/x", mode(0o640))], "/e", Ok(()), &file(0o640, 1000, 1, "/e"));
    bench.check(&[set("/none", mode(0o600))], "/none", Err(ErrorKind::Missing), ABSENT);
    bench.check(&[set("/none/x", mode(0o600))], "/none/x", Err(ErrorKind::Missing), ABSENT);
    let linked = "Ok(Some((Link(\"/a\"), 511, 7, 0))) Err(WrongType) Err(WrongType)";
    bench.check(&[set("/l", Access { mode: Some(0o600), ..owner(7) })], "/l", Ok(()), linked);
    bench.check(&[set("/", mode(0o711))], "/none", Ok(()), ABSENT);
}

#[test]
fn creates_lists_and_removes_directories() {
    let Some(bench) = Bench::new() else { return };
    bench.check(&[make("/x")], "/x", Ok(()), &directory(0o755, &[]));
    bench.check(
        &[make("/x"), write("/x/f", "n"), make("/x/d")],
        "/x",
        Ok(()),
        &directory(0o755, &["d", "f"]),
    );
    bench.check(&[make("/a")], "/a/b", Err(ErrorKind::Failed), &directory(0o755, &["a", "c"]));
    bench.check(&[make("/e")], "/none", Err(ErrorKind::WrongType), ABSENT);
    bench.check(&[make("/none/x")], "/none", Err(ErrorKind::ParentMissing), ABSENT);
    bench.check(&[make("/e/x")], "/none", Err(ErrorKind::WrongType), ABSENT);
    bench.check(&[leave("/a/b/c")], "/a/b/c", Err(ErrorKind::Failed), &directory(0o700, &["d", "e"]));
    let emptied = [remove("/a/b/c/d"), remove("/a/b/c/e")];
    bench.check(&emptied, "/a/b/c", Ok(()), &directory(0o700, &[]));
    bench.check(&[&emptied[..], &[leave("/a/b/c")]].concat(), "/a/b/c", Ok(()), ABSENT);
    let again = [&emptied[..], &[write("/a/b/c/e", "n"), leave("/a/b/c")]].concat();
    bench.check(&again, "/a/b/c", Err(ErrorKind::Failed), &directory(0o700, &["e"]));
    bench.check(&[leave("/e")], "/none", Err(ErrorKind::WrongType), ABSENT);
    bench.check(&[leave("/none")], "/none", Err(ErrorKind::Missing), ABSENT);
    bench.check(&[leave("/")], "/none", Err(ErrorKind::Invalid), ABSENT);
}

#[test]
fn removed_entries_do_not_reappear_from_the_base() {
    let Some(bench) = Bench::new() else { return };
    bench.check(&[clear("/a")], "/a/b/a", Ok(()), ABSENT);
    bench.check(&[clear("/a"), make("/a")], "/a", Ok(()), &directory(0o755, &[]));
    bench.check(&[clear("/a"), make("/a")], "/a/b", Ok(()), ABSENT);
    bench.check(&[clear("/a"), make("/a"), make("/a/b")], "/l/b", Ok(()), &directory(0o755, &[]));
    bench.check(&[clear("/c"), write("/c", "n")], "/c/d/b", Ok(()), "Ok(None) Err(WrongType) Err(Failed)");
    bench.check(&[replace("/c")], "/none", Ok(()), ABSENT);
    bench.check(&[replace("/p")], "/p", Ok(()), &file(0o600, 0, 0, "over"));
    bench.check(&[write("/c", "n")], "/none", Err(ErrorKind::WrongType), ABSENT);
    bench.check(&[remove("/c")], "/none", Err(ErrorKind::WrongType), ABSENT);
    bench.check(&[remove("/e"), remove("/e")], "/e", Err(ErrorKind::Missing), ABSENT);
    bench.check(&[remove("/p")], "/p", Ok(()), ABSENT);
}

#[test]
fn links_lead_to_entries_of_the_overlay() {
    let Some(bench) = Bench::new() else { return };
    let linked =
        |target: &str| format!("Ok(Some((Link({target:?}), 511, 0, 0))) Err(WrongType) Err(WrongType)");
    bench.check(&[write("/l/new", "n")], "/a/new", Ok(()), &file(0o600, 0, 0, "n"));
    // Others can write /b: attributes are read through the link there, but content is not.
    let refused = "Ok(Some((File, 384, 0, 0))) Err(WrongType) Err(UnsafeLink)";
    bench.check(&[write("/a/new", "n")], "/b/l/new", Ok(()), refused);
    bench.check(&[link("/x", "/a/b"), write("/x/new", "n")], "/l/l/new", Ok(()), &file(0o600, 0, 0, "n"));
    bench.check(&[make("/none"), write("/d/x", "n")], "/none/x", Ok(()), &file(0o600, 0, 0, "n"));
    bench.check(&[link("/l", "/a/b")], "/l/a", Ok(()), &file(0o4755, 0, 0, "/a/b/a"));
    bench.check(&[link("/l", "/a/b")], "/l", Ok(()), &linked("/a/b"));
    bench.check(&[link("/a", "/l")], "/l", Err(ErrorKind::WrongType), &linked("/a"));
    bench.check(&[link("/p", "/l")], "/l", Err(ErrorKind::WrongType), &linked("/a"));
    bench.check(&[write("/b/l/x", "n")], "/a/x", Err(ErrorKind::UnsafeLink), ABSENT);
    bench.check(&[set("/b", mode(0o755)), write("/b/l/x", "n")], "/a/x", Ok(()), &file(0o600, 0, 0, "n"));
    bench.check(
        &[set("/a", mode(0o777)), write("/a/l/x", "n")],
        "/a/b/x",
        Err(ErrorKind::UnsafeLink),
        ABSENT,
    );
    bench.check(
        &[link("/x", "/y"), link("/y", "/x"), write("/x/f", "n")],
        "/none",
        Err(ErrorKind::Failed),
        ABSENT,
    );
    bench.check(&[write("/l", "n")], "/l", Err(ErrorKind::WrongType), &linked("/a"));
    bench.check(&[replace("/l")], "/l", Ok(()), &file(0o600, 0, 0, "over"));
    bench.check(&[remove("/l")], "/a/a", Ok(()), &file(0o4755, 0, 0, "/a/a"));
}

#[test]
fn creates_hard_links_and_copies() {
    let Some(bench) = Bench::new() else { return };
    bench.check(&[hard("/x", "/a/a")], "/x", Ok(()), &file(0o4755, 0, 0, "/a/a"));
    bench.check(&[hard("/a/a", "/a/d")], "/a/a", Ok(()), &file(0o4755, 0, 0, "/a/a"));
    bench.check(&[hard("/x", "/none")], "/x", Err(ErrorKind::Missing), ABSENT);
    bench.check(&[hard("/x", "/none/y")], "/x", Err(ErrorKind::ParentMissing), ABSENT);
    bench.check(&[hard("/x", "/a")], "/x", Err(ErrorKind::WrongType), ABSENT);
    bench.check(&[hard("/a", "/a/a")], "/x", Err(ErrorKind::WrongType), ABSENT);
    let copy = |from: &str, to: &str| Op::Copy(PathBuf::from(from), PathBuf::from(to));
    bench.check(&[copy("/a/a", "/x"), write("/a/a", "n")], "/x", Ok(()), &file(0o4755, 0, 0, "/a/a"));
    bench.check(&[copy("/a/a", "/x"), set("/x", mode(0o600))], "/a/a", Ok(()), &file(0o4755, 0, 0, "/a/a"));
    bench.check(&[copy("/a/a", "/b")], "/x", Err(ErrorKind::WrongType), ABSENT);
    bench.check(&[copy("/l", "/x")], "/x", Err(ErrorKind::WrongType), ABSENT);
    bench.check(&[copy("/none", "/x")], "/x", Err(ErrorKind::Missing), ABSENT);
    bench.check(&[copy("/a/a", "/none/x")], "/x", Err(ErrorKind::ParentMissing), ABSENT);
}
