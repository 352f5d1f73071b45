//! Making swap space, using it, and letting go of it.

use std::path::{Path, PathBuf};

use uphold_resource::{Access, Act, Error, ErrorKind, NewFile, Result, Size, sibling_name};

use super::resource::{AUTOMATIC, Swap, SwapGoal};
use super::sight::{Sight, TYPE, is_of, priority_in, with_priority};
use crate::storage::fstab::{self, FstabEntry};
use crate::tool;

/// Nobody but root may read what was in memory.
const PRIVATE: u32 = 0o600;

/// What a new entry of fstab has, as installers write it.
const USUAL_OPTIONS: &str = "sw";

/// The kernel uses swap space in pages, and needs some of them for itself.
pub(super) const SMALLEST: u64 = 40 * 1024;

/// Makes the goal so.
pub(super) fn converge(swap: &Swap, goal: &SwapGoal, host: &Act<'_>) -> Result<()> {
    let sight = Sight::whole(swap, host)?;
    sight.must_be_free(swap)?;
    let remake = must_remake(swap, &sight);
    let label = swap.label.get().filter(|label| sight.label() != **label);
    let must_rest = remake || label.is_some() || !goal.active;
    if sight.active.is_some_and(|live| must_rest || is_other_priority(swap, live)) {
        stop(swap, host)?;
    }
    match label {
        _ if remake => make(swap, goal, &sight, host)?,
        Some(label) => relabel(swap, label, host)?,
        None => {}
    }
    if goal.active && Sight::of(swap, host)?.active.is_none() {
        start(swap, goal.priority, host)?;
    }
    match goal.in_fstab {
        true => note(swap, goal.priority, &sight, host),
        false if sight.entry.is_some() => fstab::remove(|entry| is_of(entry, &swap.path), host),
        false => Ok(()),
    }
}

/// Lets go of it, and removes it if it is a file.
pub(super) fn remove(swap: &Swap, host: &Act<'_>) -> Result<()> {
    let sight = Sight::of(swap, host)?;
    if sight.active.is_some() {
        stop(swap, host)?;
    }
    if sight.entry.is_some() {
        fstab::remove(|entry| is_of(entry, &swap.path), host)?;
    }
    match sight.size.is_some() && sight.is_made() {
        true => host.edits().remove_file(&swap.path),
        false => Ok(()),
    }
}

fn must_remake(swap: &Swap, sight: &Sight) -> bool {
    let other_size = |wish: &Size| sight.size.is_some_and(|size| size != wish.0);
    !sight.is_made() || swap.size.get().is_some_and(other_size)
}

fn is_other_priority(swap: &Swap, live: i32) -> bool {
    swap.priority.get().is_some_and(|wish| *wish != live.max(AUTOMATIC))
}

fn make(swap: &Swap, goal: &SwapGoal, sight: &Sight, host: &Act<'_>) -> Result<()> {
    let label = swap.label.get().map_or(sight.label(), String::as_str);
    let label = Some(label).filter(|label| !label.is_empty());
    match (sight.is_device, &goal.size) {
        (true, _) => sign(&swap.path, label, host),
        (false, Some(size)) => make_file(&swap.path, *size, label, host),
        (false, None) => Err(no_size(&swap.path)),
    }
}

/// A file cannot be made without one.
pub(super) fn no_size(path: &Path) -> Error {
    let what = format!("{} does not exist, and nothing says how large it should be", path.display());
    Error::new(ErrorKind::Invalid, what).hint("set `size`, as in size = \"1GiB\"")
}

/// Makes the file under another name: what has the right one is always swap space, and whole.
fn make_file(path: &Path, size: Size, label: Option<&str>, host: &Act<'_>) -> Result<()> {
    let draft = draft(path);
    let access = Access { mode: Some(PRIVATE), uid: Some(0), gid: Some(0) };
    host.edits().write(&draft, &NewFile::new(b"", access))?;
    fill(&draft, size, host)?;
    sign(&draft, label, host)?;
    let rename = tool::command("mv", ["-f", "-T", &text(&draft), &text(path)]);
    tool::run(&rename, &format!("cannot put the new {} in its place", path.display()), host).map(drop)
}

fn draft(path: &Path) -> PathBuf {
    path.with_file_name(sibling_name(path.file_name().unwrap_or_default(), "new"))
}

/// Without holes, which the kernel refuses. Not every file system can do that at once: then it is written.
fn fill(path: &Path, size: Size, host: &Act<'_>) -> Result<()> {
    let at_once = tool::command("fallocate", ["--length", &size.0.to_string(), &text(path)]);
    if host.run(&at_once).is_ok_and(|output| output.success()) {
        return Ok(());
    }
    let to = format!("of={}", text(path));
    let count = format!("count={}", size.0);
    let written = tool::command("dd", ["if=/dev/zero", &to, "bs=1M", "iflag=count_bytes", &count]);
    tool::run(&written, &format!("cannot write {} bytes to {}", size.0, path.display()), host).map(drop)
}

fn sign(path: &Path, label: Option<&str>, host: &Act<'_>) -> Result<()> {
    let mut args: Vec<String> = Vec::new();
    args.extend(label.into_iter().flat_map(|label| ["--label".to_owned(), label.to_owned()]));
    // Whatever else is there was looked at, and may go.
    args.extend(["--force".to_owned(), text(path)]);
    let what = format!("cannot make {} swap space", path.display());
    tool::run(&tool::command("mkswap", args), &what, host).map(drop)
}

fn relabel(swap: &Swap, label: &str, host: &Act<'_>) -> Result<()> {
    let command = tool::command("swaplabel", ["--label", label, &text(&swap.path)]);
    tool::run(&command, &format!("cannot label {}", swap.path), host).map(drop)
}

fn start(swap: &Swap, priority: i32, host: &Act<'_>) -> Result<()> {
    let mut args: Vec<String> = Vec::new();
    if priority > AUTOMATIC {
        args.extend(["--priority".to_owned(), priority.to_string()]);
    }
    args.push(text(&swap.path));
    tool::run(&tool::command("swapon", args), &format!("cannot swap to {}", swap.path), host).map(drop)
}

fn stop(swap: &Swap, host: &Act<'_>) -> Result<()> {
    let command = tool::command("swapoff", [text(&swap.path)]);
    let hint = "there must be enough memory for what was swapped out";
    let what = format!("cannot stop swapping to {}", swap.path);
    tool::run(&command, &what, host).map(drop).map_err(|error| error.hint(hint))
}

fn note(swap: &Swap, priority: i32, sight: &Sight, host: &Act<'_>) -> Result<()> {
    let found = sight.entry.as_ref();
    let options = found.map_or(USUAL_OPTIONS, |entry| entry.options.as_str());
    if found.is_some_and(|entry| priority_in(&entry.options) == priority) {
        return Ok(());
    }
    let entry = FstabEntry {
        device: text(&swap.path),
        point: found.map_or("none".to_owned(), |entry| entry.point.clone()),
        fstype: TYPE.to_owned(),
        options: with_priority(options, priority),
        dump: found.map_or(0, |entry| entry.dump),
        pass: found.map_or(0, |entry| entry.pass),
    };
    fstab::put(&entry, |found| is_of(found, &swap.path), host)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
