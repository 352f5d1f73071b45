//! The current state of swap space: the file or device, its entry in fstab, and whether it is in use.

use std::path::Path;

use uphold_resource::{EntryKind, Error, ErrorKind, Look, Reading, Result, Size, wrong_type};

use crate::storage::fstab::{Fstab, FstabEntry};
use crate::storage::signature::Signature;
use crate::storage::{resolved, unescaped};

use super::{AUTOMATIC, Swap, SwapState};

/// The host's description of a block device.
const BLOCK_DEVICE: &str = "a block device";

/// The option for a priority in fstab.
const PRIORITY: &str = "pri=";

/// The type of a swap entry in fstab.
pub(super) const TYPE: &str = "swap";

/// The current state.
pub(super) struct Observed {
    /// The size of an existing file; none for a device.
    pub(super) size: Option<u64>,
    pub(super) is_device: bool,
    /// Its signature, if it was read: that is not needed while it is in use.
    pub(super) signature: Option<Signature>,
    pub(super) entry: Option<FstabEntry>,
    /// Its priority, if it is in use.
    pub(super) active: Option<i32>,
}

/// Whether an entry of fstab is for this swap space.
pub(super) fn is_of(entry: &FstabEntry, path: &Path) -> bool {
    entry.fstype == TYPE && Path::new(&entry.device) == path
}

impl Observed {
    /// The state for a step: while it is in use, its signature is read only if `label` is set.
    pub(super) fn of(swap: &Swap, host: &Reading<'_>) -> Result<Self> {
        Self::with(swap, swap.label.is_set(), host)
    }

    /// The state for `load`: while it is in use, its signature is read only if needed.
    pub(super) fn load(swap: &Swap, look: &Look<'_>) -> Result<Self> {
        Self::with(swap, look.needs("label") || look.needs("uuid"), look)
    }

    /// The complete state.
    pub(super) fn whole(swap: &Swap, host: &Reading<'_>) -> Result<Self> {
        Self::with(swap, true, host)
    }

    fn with(swap: &Swap, read_signature: bool, host: &Reading<'_>) -> Result<Self> {
        let path = &*swap.path;
        crate::storage::check(path, host)?;
        let device = resolved(path, host)?;
        let (size, is_device) = match host.files().look(&device)? {
            None => (None, false),
            Some(entry) => match entry.kind {
                EntryKind::File if device == path => (Some(entry.size), false),
                EntryKind::Other(BLOCK_DEVICE) => (None, true),
                kind => return Err(wrong_type(device, kind.words(), "a file by its own name, or a device")),
            },
        };
        let active = priority(&device, host)?;
        let exists = size.is_some_and(|size| size > 0) || is_device;
        let must_read = exists && (active.is_none() || read_signature);
        let signature = if must_read { Signature::of(path, host)? } else { None };
        let entry = Fstab::find(host, |entry| is_of(entry, path))?;
        Ok(Self { size, is_device, signature, entry, active })
    }

    /// Whether it is swap space, in use or not.
    pub(super) fn is_made(&self) -> bool {
        let signed = self.signature.as_ref().is_some_and(|found| found.fstype() == Some(TYPE));
        let exists = self.size.is_some() || self.is_device;
        exists && (self.active.is_some() || signed)
    }

    /// Its label, if the signature was read.
    pub(super) fn label(&self) -> &str {
        self.signature.as_ref().and_then(Signature::label).unwrap_or_default()
    }

    /// Fails if there is other data that may not be destroyed.
    pub(super) fn must_be_free(&self, swap: &Swap) -> Result<()> {
        let is_empty = self.signature.is_none() && (self.is_device || self.size.unwrap_or(0) == 0);
        if self.is_made() || is_empty || swap.force {
            return Ok(());
        }
        let found =
            self.signature.as_ref().map_or("data that is not swap space".to_owned(), Signature::words);
        let what = format!("{} cannot be used for swap: it contains {found}", swap.path);
        Err(Error::new(ErrorKind::Rejected, what)
            .hint("choose another path, or move the data elsewhere; `force = true` would destroy it"))
    }

    pub(super) fn state(&self, declared: &Swap) -> Option<SwapState> {
        // A device stays after a removal.
        let is_swap_file = !self.is_device && self.is_made();
        if self.entry.is_none() && self.active.is_none() && !is_swap_file {
            return None;
        }
        let found = self.signature.as_ref();
        Some(SwapState {
            size: Size(self.size.filter(|_| self.is_made()).unwrap_or(0)),
            priority: self.priority(declared),
            label: self.label().to_owned(),
            active: self.active.is_some(),
            in_fstab: self.entry.is_some(),
            uuid: found.and_then(Signature::uuid).map(ToOwned::to_owned),
        })
    }

    /// The priority that differs from the declared one, in fstab or in use.
    fn priority(&self, swap: &Swap) -> i32 {
        let written = self.entry.as_ref().map(|entry| priority_in(&entry.options));
        let live = self.active.map(|priority| priority.max(AUTOMATIC));
        match (swap.priority.get().copied(), written, live) {
            (Some(declared), Some(written), _) if declared != written => written,
            (Some(declared), _, live) => live.unwrap_or(declared),
            (None, written, live) => written.or(live).unwrap_or(AUTOMATIC),
        }
    }
}

/// The priority in the options of an entry.
pub(super) fn priority_in(options: &str) -> i32 {
    let found = options.split(',').find_map(|option| option.trim().strip_prefix(PRIORITY));
    found.and_then(|number| number.parse().ok()).unwrap_or(AUTOMATIC)
}

/// The same options with this priority.
pub(super) fn with_priority(options: &str, priority: i32) -> String {
    let others = options.split(',').map(str::trim).filter(|option| !option.starts_with(PRIORITY));
    let own = (priority > AUTOMATIC).then(|| format!("{PRIORITY}{priority}"));
    let all: Vec<String> =
        others.filter(|option| !option.is_empty()).map(ToOwned::to_owned).chain(own).collect();
    all.join(",")
}

// `/proc/swaps`: the swap space in use.

/// The kernel's table.
const SWAPS: &str = "/proc/swaps";

/// The priority of `path`, if it is in use. A priority that the kernel chose is negative.
pub(super) fn priority(path: &Path, host: &Reading<'_>) -> Result<Option<i32>> {
    let table = Path::new(SWAPS);
    match host.files().look(table)? {
        Some(_) => Ok(find(&host.files().read(table, 0)?, path)),
        None => Ok(None),
    }
}

/// Parses lines such as `/swapfile file 1048572 0 -2`, after a header line.
fn find(content: &[u8], path: &Path) -> Option<i32> {
    let lines = content.split(|byte| *byte == b'\n').skip(1);
    let mut rows = lines.map(|line| {
        line.split(u8::is_ascii_whitespace)
            .filter(|field| !field.is_empty())
            .map(unescaped)
            .collect::<Vec<_>>()
    });
    let row = rows.find(|row| row.first().is_some_and(|name| Path::new(name) == path))?;
    row.last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_round_trip_through_options() {
        let check = |options: &str, priority: i32, expected: &str| {
            assert_eq!(with_priority(options, priority), expected);
            assert_eq!(priority_in(expected), priority);
        };
        check("sw", 10, "sw,pri=10");
        check("sw,pri=3,nofail", 10, "sw,nofail,pri=10");
        check("sw,pri=3", AUTOMATIC, "sw");
        check("", 0, "pri=0");
        assert_eq!(priority_in("pri=x"), AUTOMATIC);
    }
}

#[cfg(test)]
mod active_tests {
    use super::*;

    #[test]
    fn finds_priorities() {
        let table = b"Filename\t\tType\t\tSize\tUsed\tPriority\n\
            /dev/sda2                               partition\t1048572\t0\t-2\n\
            /a\\040b                               file\t1048572\t0\t10\n";
        let check = |path: &str, expected| assert_eq!(find(table, Path::new(path)), expected, "{path}");
        check("/dev/sda2", Some(-2));
        check("/a b", Some(10));
        check("/dev/sda", None);
        check("Filename", None);
    }
}
