//! Random configurations of a few resources, changes by hand, and the state of these resources.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use uphold::resource::Access;
use uphold_memory::{MemoryHost, Snapshot};

use super::Dice;

/// A property of a resource: its address and name.
pub(crate) type Property = (String, &'static str);

/// The properties of all resources that exist.
pub(crate) type World = BTreeMap<Property, String>;

const FILES: [&str; 3] = ["/d/0", "/d/1", "/d/sub/f"];
const KEYS: [&str; 2] = ["k0", "k1"];
const LINES: [&str; 2] = ["l0", "l1"];

/// The files that several resources edit, and the addresses of these resources.
pub(crate) const EDITED: [(&str, [&str; 2]); 2] =
    [("/d/ini", ["ini.k0", "ini.k1"]), ("/d/text", ["line.l0", "line.l1"])];

pub(crate) fn host() -> MemoryHost {
    let host = MemoryHost::new().directory("/d", 0o755).file("/d/text", "first\nl1 old\nlast\n", 0o644);
    host.file("/d/1", "old\n", 0o600).file("/d/ini", "; comment\nk1 = old\n", 0o644)
}

/// A content that is stored as an object.
pub(crate) static LONG: LazyLock<String> = LazyLock::new(|| "x".repeat(5_000));

fn content(dice: &mut Dice) -> String {
    match dice.roll(4) {
        0 => LONG.clone(),
        number => format!("content {number}"),
    }
}

/// Declares some of the resources.
pub(crate) fn configuration(dice: &mut Dice) -> String {
    let mut text = String::new();
    let directory = dice.roll(4);
    for path in FILES {
        let _ = match dice.roll(6) {
            0 => continue,
            // A declared file needs its directory.
            _ if path.starts_with("/d/sub") && directory == 1 => continue,
            1 => writeln!(text, "file {path:?} {{ action = \"remove\" }}"),
            2 => writeln!(text, "file {path:?} {{\n  content = {:?}\n  mode = \"0600\"\n}}", content(dice)),
            3 => writeln!(text, "file {path:?} {{ mode = \"0640\" }}"),
            _ => writeln!(text, "file {path:?} {{ content = {:?} }}", content(dice)),
        };
    }
    let _ = match directory {
        0 => Ok(()),
        1 => writeln!(text, "directory \"/d/sub\" {{ action = \"remove\" }}"),
        mode => writeln!(text, "directory \"/d/sub\" {{ mode = \"07{mode}5\" }}"),
    };
    let _ = match dice.roll(4) {
        0 => Ok(()),
        1 => writeln!(text, "link \"/d/link\" {{\n  action = \"remove\"\n  to = \"/a1\"\n}}"),
        target => writeln!(text, "link \"/d/link\" {{ to = \"/a{target}\" }}"),
    };
    for name in KEYS {
        let part = format!("file = \"/d/ini\"\n  key = \"{name}\"\n  value = \"{}\"", dice.roll(3));
        let _ = match dice.roll(4) {
            0 => continue,
            1 => writeln!(text, "ini {name:?} {{\n  {part}\n  action = \"remove\"\n}}"),
            _ => writeln!(text, "ini {name:?} {{\n  {part}\n  create = true\n}}"),
        };
    }
    for name in LINES {
        let part = format!("file = \"/d/text\"\n  match = \"^{name} \"");
        let _ = match dice.roll(4) {
            0 => continue,
            1 => writeln!(text, "line {name:?} {{\n  {part}\n  action = \"remove\"\n}}"),
            _ => writeln!(text, "line {name:?} {{\n  {part}\n  line = \"{name} {}\"\n}}", dice.roll(3)),
        };
    }
    text
}

/// Changes something by hand, or nothing.
pub(crate) fn tamper(host: &MemoryHost, dice: &mut Dice) {
    let path = FILES[dice.roll(2) as usize];
    match dice.roll(10) {
        0 => host.tamper(path, "by hand"),
        1 => host.delete(path),
        2 => host.change_access(path, Access { mode: Some(0o600), ..Access::default() }),
        3 => append(host, "/d/ini", "note = by hand\n"),
        4 => host.tamper("/d/ini", "k0 = by hand\nk1 = old\n"),
        5 => append(host, "/d/text", "by hand\n"),
        6 => host.delete("/d/link"),
        _ => {}
    }
}

fn append(host: &MemoryHost, path: &str, text: &str) {
    let now = host.snapshot();
    let before = now.content(Path::new(path)).unwrap_or_default();
    host.tamper(path, [before, text.as_bytes()].concat());
}

/// The state of all resources.
pub(crate) fn world(now: &Snapshot) -> World {
    let mut world = World::new();
    let files = FILES.into_iter().chain(EDITED.map(|(path, _)| path)).map(|path| ("file", path));
    for (kind, path) in files.chain([("directory", "/d/sub")]) {
        if let Some(mode) = now.describe(Path::new(path)).and_then(|line| mode(&line)) {
            world.insert((format!("{kind}[{path:?}]"), "mode"), mode);
        }
        if let Some(content) = now.content(Path::new(path)) {
            world.insert(
                (format!("{kind}[{path:?}]"), "content"),
                String::from_utf8_lossy(content).into_owned(),
            );
        }
    }
    if let Some(link) = now.describe(Path::new("/d/link")) {
        world.insert(("link[\"/d/link\"]".to_owned(), "to"), link);
    }
    for (path, names, kind, separator) in [("/d/ini", KEYS, "ini", " = "), ("/d/text", LINES, "line", " ")] {
        let text = String::from_utf8_lossy(now.content(Path::new(path)).unwrap_or_default()).into_owned();
        for name in names {
            let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(separator));
            if let Some(value) = value {
                world.insert((format!("{kind}.{name}"), "value"), value.to_owned());
            }
        }
    }
    world
}

/// The mode in the description of a file.
fn mode(line: &str) -> Option<String> {
    let is_mode = |word: &&str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    line.split(' ').find(is_mode).map(str::to_owned)
}
