//! What is there of swap space: the file or device, its entry in fstab, and whether it is used.

use std::path::Path;

use uphold_resource::{EntryKind, Error, ErrorKind, Reading, Result, Size, wrong_type};

use super::active;
use super::resource::{AUTOMATIC, Swap, SwapState};
use crate::storage::alias::resolved;
use crate::storage::fstab::{Fstab, FstabEntry};
use crate::storage::private_place;
use crate::storage::signature::Signature;

/// What a host calls a device that can hold something.
const BLOCK_DEVICE: &str = "a block device";

/// How a priority is written in fstab.
const PRIORITY: &str = "pri=";

/// What stands in fstab for what is no directory.
pub(super) const TYPE: &str = "swap";

/// All that is known.
pub(super) struct Sight {
    /// The size of a file that is there; a device has none that we could change.
    pub(super) size: Option<u64>,
    pub(super) is_device: bool,
    /// What is on it, if somebody had to look: nobody has to while it is used.
    pub(super) signature: Option<Signature>,
    pub(super) entry: Option<FstabEntry>,
    /// Its priority, if it is used.
    pub(super) active: Option<i32>,
}

/// Whether an entry of fstab is the one of this swap space.
pub(super) fn is_of(entry: &FstabEntry, path: &Path) -> bool {
    entry.fstype == TYPE && Path::new(&entry.device) == path
}

impl Sight {
    /// What a look needs: while it is used, what is on it is asked only if somebody wants to know.
    pub(super) fn of(swap: &Swap, host: &Reading<'_>) -> Result<Self> {
        Self::with(swap, swap.label.is_set() || host.needs("label") || host.needs("uuid"), host)
    }

    /// All of it.
    pub(super) fn whole(swap: &Swap, host: &Reading<'_>) -> Result<Self> {
        Self::with(swap, true, host)
    }

    fn with(swap: &Swap, asks: bool, host: &Reading<'_>) -> Result<Self> {
        let path = &*swap.path;
        private_place::check(path, host)?;
        let device = resolved(path, host)?;
        let (size, is_device) = match host.files().look(&device)? {
            None => (None, false),
            Some(entry) => match entry.kind {
                EntryKind::File if device == path => (Some(entry.size), false),
                EntryKind::Other(BLOCK_DEVICE) => (None, true),
                kind => return Err(wrong_type(device, kind.words(), "a file by its own name, or a device")),
            },
        };
        let active = active::priority(&device, host)?;
        let is_there = size.is_some_and(|size| size > 0) || is_device;
        let must_ask = is_there && (active.is_none() || asks);
        let signature = if must_ask { Signature::of(path, host)? } else { None };
        let entry = Fstab::find(host, |entry| is_of(entry, path))?;
        Ok(Self { size, is_device, signature, entry, active })
    }

    /// Whether there is swap space, used or not.
    pub(super) fn is_made(&self) -> bool {
        let signed = self.signature.as_ref().is_some_and(|found| found.fstype() == Some(TYPE));
        let is_there = self.size.is_some() || self.is_device;
        is_there && (self.active.is_some() || signed)
    }

    /// Its label, if somebody looked at it.
    pub(super) fn label(&self) -> &str {
        self.signature.as_ref().and_then(Signature::label).unwrap_or_default()
    }

    /// Fails if something else is there, and may not be destroyed.
    pub(super) fn must_be_free(&self, swap: &Swap) -> Result<()> {
        let is_empty = self.signature.is_none() && (self.is_device || self.size.unwrap_or(0) == 0);
        if self.is_made() || is_empty || swap.force {
            return Ok(());
        }
        let found =
            self.signature.as_ref().map_or("something that is no swap space".to_owned(), Signature::words);
        let what = format!("{} is not free for swap: it holds {found}", swap.path);
        Err(Error::new(ErrorKind::Rejected, what)
            .hint("move it away, or set `force = true` if it may be destroyed"))
    }

    pub(super) fn state(&self, wish: &Swap) -> Option<SwapState> {
        // A device stays there, whatever is removed of it.
        let is_there = !self.is_device && self.is_made();
        if self.entry.is_none() && self.active.is_none() && !is_there {
            return None;
        }
        let found = self.signature.as_ref();
        Some(SwapState {
            size: Size(self.size.filter(|_| self.is_made()).unwrap_or(0)),
            priority: self.priority(wish),
            label: self.label().to_owned(),
            active: self.active.is_some(),
            in_fstab: self.entry.is_some(),
            uuid: found.and_then(Signature::uuid).map(ToOwned::to_owned),
        })
    }

    /// What differs from the wish, wherever it does.
    fn priority(&self, swap: &Swap) -> i32 {
        let written = self.entry.as_ref().map(|entry| priority_in(&entry.options));
        let live = self.active.map(|priority| priority.max(AUTOMATIC));
        match (swap.priority.get().copied(), written, live) {
            (Some(wish), Some(written), _) if wish != written => written,
            (Some(wish), _, live) => live.unwrap_or(wish),
            (None, written, live) => written.or(live).unwrap_or(AUTOMATIC),
        }
    }
}

/// The priority that the options of an entry ask for.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_stand_among_the_options() {
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
