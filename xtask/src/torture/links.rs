//! The owner of a directory who exchanges names for links while root manages what is in it.

use std::os::unix::fs::{chown, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::arena::{Arena, crash, finish};
use super::snapshot::Snapshot;
use super::tally::Tally;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::requirement;

/// An account without rights: the attacker.
const NOBODY: u32 = 65_534;

/// What root manages in the attacker's directory: a name, and a block in which `PATH` stands for its path.
const TARGETS: [(&str, &str); 8] = [
    (
        "file",
        "file \"x\" {\n path = \"PATH\"\n content = \"declared\\n\"\n mode = \"0600\"\n owner = \"root\"\n}\n",
    ),
    ("force", "file \"x\" {\n path = \"PATH\"\n content = \"declared\\n\"\n force = true\n backups = 1\n}\n"),
    ("line", "line \"x\" {\n file = \"PATH\"\n line = \"declared\"\n create = true\n}\n"),
    ("directory", "directory \"x\" {\n path = \"PATH\"\n mode = \"0711\"\n owner = \"nobody\"\n}\n"),
    ("purge", "directory \"x\" {\n path = \"PATH\"\n purge = true\n}\n"),
    ("link", "link \"x\" {\n path = \"PATH\"\n to = \"/dev/null\"\n}\n"),
    ("remove", "directory \"x\" {\n path = \"PATH\"\n action = \"remove\"\n}\n"),
    ("archive", "archive \"x\" {\n path = \"PATH\"\n source = \"ARCHIVE\"\n mode = \"0700\"\n}\n"),
];

/// Nothing outside the attacker's directory may change.
pub(crate) fn run(arena: &Arena) -> Result<Tally> {
    let mut tally = Tally::default();
    if !requirement::is_root() {
        return Err(Failure::new("planted links need root: the attacker is another user"));
    }
    arena.furnish()?;
    for (name, block) in TARGETS {
        let broken = attack(arena, block)?;
        tally.count(&format!("{name} behind a link"), broken);
    }
    Ok(tally)
}

fn attack(arena: &Arena, block: &str) -> Result<Option<String>> {
    let (outside, home) = (arena.path("outside"), arena.path("home"));
    plant(&outside, &home)?;
    let before = Snapshot::take(&outside)?;
    let archive = arena.path("machine/input.tar").display().to_string();
    let text = block.replace("PATH", &home.join("x").display().to_string()).replace("ARCHIVE", &archive);
    disk::write(&arena.path("links.hcl"), &text)?;
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| exchange_until(&stop, &home));
        let broken = rounds(arena, &outside, &before);
        stop.store(true, Ordering::Relaxed);
        broken
    })
}

fn rounds(arena: &Arena, outside: &Path, before: &Snapshot) -> Result<Option<String>> {
    for round in 0..arena.rounds(200) {
        let output = finish(&mut arena.command(&["apply", "--quiet", "links.hcl"]))?;
        let changed = Snapshot::take(outside)?.differs(before).map(|what| format!("outside, {what}"));
        if let Some(broken) = crash(&output).or(changed) {
            return Ok(Some(format!("round {round}: {broken}")));
        }
    }
    Ok(None)
}

/// Files of root's outside, and the attacker's directory with links to them beside ordinary entries.
fn plant(outside: &Path, home: &Path) -> Result {
    for tree in [outside, home] {
        disk::remove_tree(tree)?;
    }
    disk::write(&outside.join("tree/file"), "root's own\n")?;
    disk::write(&outside.join("file"), "root's own\n")?;
    disk::write(&home.join("x"), "the attacker's\n")?;
    disk::write(&home.join("dir/file"), "the attacker's\n")?;
    let planted = || -> std::io::Result<()> {
        symlink(outside.join("file"), home.join("to-file"))?;
        symlink(outside.join("tree"), home.join("to-tree"))?;
        for name in ["", "x", "dir", "dir/file"] {
            chown(home.join(name), Some(NOBODY), Some(NOBODY))?;
        }
        Ok(())
    };
    planted().map_err(|error| Failure::new(format!("cannot plant links in `{}`: {error}", home.display())))
}

/// Exchanges `x` with each of the others, over and over. A name that a run has just replaced is tried again.
fn exchange_until(stop: &AtomicBool, home: &Path) {
    let name: PathBuf = home.join("x");
    let others = ["to-file", "to-tree", "dir"].map(|other| home.join(other));
    while !stop.load(Ordering::Relaxed) {
        for other in &others {
            let _ = renameat_with(CWD, &name, CWD, other, RenameFlags::EXCHANGE);
        }
    }
}
