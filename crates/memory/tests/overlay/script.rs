//! Random edits.

use std::path::{Path, PathBuf};

use uphold_resource::{Access, Act, ErrorKind, NewFile, READ_LIMIT, Result};

use super::dice::Dice;
use super::set_access;

/// So few that most edits affect existing entries.
const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "l"];

/// Targets of links: existing, missing, upwards, circular.
const TARGETS: [&str; 10] = ["/a", "b", "../a", "/a/b", "c/d", "/none", "/l", "..", "/", "/b/l"];

/// None is sticky: the system treats links in sticky directories specially.
const MODES: [u32; 7] = [0o700, 0o755, 0o777, 0o775, 0o2755, 0o6755, 0o4711];

/// Any change of a host.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Write { path: PathBuf, content: String, access: Access, replace_other: bool },
    Content(PathBuf),
    MakeDirectory(PathBuf, Access),
    MakeLink(PathBuf, PathBuf),
    MakeHardLink(PathBuf, PathBuf),
    SetAccess(PathBuf, Access),
    Copy(PathBuf, PathBuf),
    RemoveFile(PathBuf),
    RemoveDirectory(PathBuf),
    RemoveTree(PathBuf),
}

impl Op {
    /// A random change; only root changes owners.
    pub(crate) fn random(dice: &mut Dice, is_root: bool) -> Self {
        match dice.roll(20) {
            0..=4 => Op::Write {
                path: path(dice),
                content: "x".repeat(usize::try_from(dice.roll(9)).expect("it is small")),
                access: access(dice, is_root),
                replace_other: dice.once_in(3),
            },
            5 => Op::Content(path(dice)),
            6..=9 => Op::MakeDirectory(path(dice), access(dice, is_root)),
            10 | 11 => Op::MakeLink(path(dice), dice.pick(&TARGETS).into()),
            12 | 13 => Op::MakeHardLink(path(dice), path(dice)),
            14 | 15 => Op::SetAccess(path(dice), access(dice, is_root)),
            16 => Op::Copy(path(dice), path(dice)),
            17 => Op::RemoveFile(path(dice)),
            18 => Op::RemoveDirectory(path(dice)),
            _ => Op::RemoveTree(path(dice)),
        }
    }

    /// Makes the change; returns its result.
    pub(crate) fn apply(&self, host: &Act<'_>) -> Result<Vec<u8>, ErrorKind> {
        let edits = host.edits();
        let done = match self {
            Op::Write { path, content, access, replace_other } => {
                let (content, access, replace_other) = (content.as_bytes(), *access, *replace_other);
                edits.write(path, &NewFile { replace_other, ..NewFile::new(content, access) })
            }
            Op::Content(path) => return edits.content(path, READ_LIMIT).map_err(|error| error.kind()),
            Op::MakeDirectory(path, access) => edits.make_directory(path, access),
            Op::MakeLink(path, target) => edits.make_link(path, target),
            Op::MakeHardLink(path, target) => edits.make_hard_link(path, target),
            Op::SetAccess(path, access) => set_access(host, path, access),
            Op::Copy(from, to) => edits.copy(from, to),
            Op::RemoveFile(path) => edits.remove_file(path),
            Op::RemoveDirectory(path) => edits.remove_directory(path),
            Op::RemoveTree(path) => edits.remove_tree(path),
        };
        done.map(|()| Vec::new()).map_err(|error| error.kind())
    }

    /// Whether it may remove names without reading them.
    pub(crate) fn removes_blindly(&self) -> bool {
        matches!(self, Op::RemoveTree(_) | Op::Write { replace_other: true, .. })
    }
}

/// A path of up to four names; rarely the root itself.
pub(crate) fn path(dice: &mut Dice) -> PathBuf {
    let depth = if dice.once_in(50) { 0 } else { 1 + dice.roll(4).min(dice.roll(4)) };
    (0..depth).fold(PathBuf::from("/"), |path, _| path.join(dice.pick(&NAMES)))
}

/// The same, sometimes with `..`.
pub(crate) fn winding_path(dice: &mut Dice) -> PathBuf {
    let further = |path: &Path, dice: &mut Dice| path.join("..").join(dice.pick(&NAMES));
    let path = path(dice);
    if dice.once_in(4) { further(&path, dice) } else { path }
}

fn access(dice: &mut Dice, is_root: bool) -> Access {
    let mut id = || (is_root && dice.once_in(4)).then(|| dice.pick(&[0, 1, 1000]));
    let (uid, gid) = (id(), id());
    Access { mode: dice.once_in(2).then(|| dice.pick(&MODES)), uid, gid }
}
