//! Creating, activating and removing swap space.

use std::path::{Path, PathBuf};

use uphold_kit::tool;
use uphold_resource::{Access, Act, Error, ErrorKind, NewFile, Result, Size, sibling_name};

use super::observed::{Observed, TYPE, is_of, priority_in, with_priority};
use super::{AUTOMATIC, Swap, SwapGoal};
use crate::storage::fstab::{self, FstabEntry};

/// Only root may read the swapped-out memory.
const PRIVATE: u32 = 0o600;

/// The options of a new entry in fstab, as installers write them.
const USUAL_OPTIONS: &str = "sw";

/// The minimum size: the kernel uses swap space in pages, some of them for itself.
pub(super) const SMALLEST: u64 = 40 * 1024;

/// Applies the goal.
pub(super) fn converge(swap: &Swap, goal: &SwapGoal, host: &Act<'_>) -> Result<()> {
    let observed = Observed::whole(swap, host)?;
    observed.must_be_free(swap)?;
    let remake = must_remake(swap, &observed);
    let label = swap.label.get().filter(|label| observed.label() != **label);
    let must_stop = remake || label.is_some() || !goal.active;
    if observed.active.is_some_and(|live| must_stop || is_other_priority(swap, live)) {
        stop(swap, host)?;
    }
    match label {
        _ if remake => make(swap, goal, &observed, host)?,
        Some(label) => relabel(swap, label, host)?,
        None => {}
    }
    if goal.active && Observed::of(swap, host)?.active.is_none() {
        start(swap, goal.priority, host)?;
    }
    if goal.in_fstab {
        write_entry(swap, goal.priority, &observed, host)
    } else if observed.entry.is_some() {
        fstab::remove(|entry| is_of(entry, &swap.path), host)
    } else {
        Ok(())
    }
}

/// Deactivates it, and removes it if it is a file.
pub(super) fn remove(swap: &Swap, host: &Act<'_>) -> Result<()> {
    let observed = Observed::of(swap, host)?;
    if observed.active.is_some() {
        stop(swap, host)?;
    }
    if observed.entry.is_some() {
        fstab::remove(|entry| is_of(entry, &swap.path), host)?;
    }
    if observed.size.is_some() && observed.is_made() { host.edits().remove_file(&swap.path) } else { Ok(()) }
}

fn must_remake(swap: &Swap, observed: &Observed) -> bool {
    let other_size = |declared: &Size| observed.size.is_some_and(|size| size != declared.0);
    !observed.is_made() || swap.size.get().is_some_and(other_size)
}

fn is_other_priority(swap: &Swap, live: i32) -> bool {
    swap.priority.get().is_some_and(|declared| *declared != live.max(AUTOMATIC))
}

fn make(swap: &Swap, goal: &SwapGoal, observed: &Observed, host: &Act<'_>) -> Result<()> {
    let label = swap.label.get().map_or(observed.label(), String::as_str);
    let label = Some(label).filter(|label| !label.is_empty());
    match (observed.is_device, &goal.size) {
        (true, _) => sign(&swap.path, label, host),
        (false, Some(size)) => make_file(&swap.path, *size, label, host),
        (false, None) => Err(no_size(&swap.path)),
    }
}

/// The error for a new file without a size.
pub(super) fn no_size(path: &Path) -> Error {
    let what = format!("the swap file {} does not exist, and `size` is not set", path.display());
    Error::new(ErrorKind::Invalid, what).hint("set `size`, as in size = \"1GiB\"")
}

/// Creates the file under a temporary name, so that a file with the final name is always complete swap space.
fn make_file(path: &Path, size: Size, label: Option<&str>, host: &Act<'_>) -> Result<()> {
    let draft = draft(path);
    let access = Access { mode: Some(PRIVATE), uid: Some(0), gid: Some(0) };
    host.edits().write(&draft, &NewFile::new(b"", access))?;
    fill(&draft, size, host)?;
    sign(&draft, label, host)?;
    let rename = tool::command("mv", ["-f", "-T", &text(&draft), &text(path)]);
    tool::run(&rename, &format!("cannot put the new swap file {} in place", path.display()), host).map(drop)
}

fn draft(path: &Path) -> PathBuf {
    path.with_file_name(sibling_name(path.file_name().unwrap_or_default(), "new"))
}

/// Allocates the file without holes, which the kernel refuses. On file systems that do not support that, it is
/// written.
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
    // Other content was checked before, and may be overwritten.
    args.extend(["--force".to_owned(), text(path)]);
    let what = format!("cannot create swap space in {}", path.display());
    tool::run(&tool::command("mkswap", args), &what, host).map(drop)
}

fn relabel(swap: &Swap, label: &str, host: &Act<'_>) -> Result<()> {
    let command = tool::command("swaplabel", ["--label", label, &text(&swap.path)]);
    tool::run(&command, &format!("cannot change the label of the swap space {}", swap.path), host).map(drop)
}

fn start(swap: &Swap, priority: i32, host: &Act<'_>) -> Result<()> {
    let mut args: Vec<String> = Vec::new();
    if priority > AUTOMATIC {
        args.extend(["--priority".to_owned(), priority.to_string()]);
    }
    args.push(text(&swap.path));
    tool::run(&tool::command("swapon", args), &format!("cannot activate the swap space {}", swap.path), host)
        .map(drop)
}

fn stop(swap: &Swap, host: &Act<'_>) -> Result<()> {
    let command = tool::command("swapoff", [text(&swap.path)]);
    let hint = "free some memory: the swapped-out data must fit into it";
    let what = format!("cannot deactivate the swap space {}", swap.path);
    tool::run(&command, &what, host).map(drop).map_err(|error| error.hint(hint))
}

fn write_entry(swap: &Swap, priority: i32, observed: &Observed, host: &Act<'_>) -> Result<()> {
    let found = observed.entry.as_ref();
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
