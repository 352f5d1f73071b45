//! Pauses: resources that are checked but not changed, until an expiry.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::failure::{Attempt, Result};
use crate::line::{Chain, Damage, VerifiedLine, damage, scan, seal};
use crate::storage::{Durability, Part, Storage, read_if_present};
use crate::time::Time;

const FILE: &str = PauseFile::NAME;

/// A pause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// Patterns of addresses: `*` stands for any characters, `?` for one. None pauses everything.
    pub addresses: Vec<String>,
    /// The user who paused.
    pub user: String,
    /// The reason that the user gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The start.
    pub since: Time,
    /// The expiry.
    pub until: Time,
}

impl Pause {
    /// Whether it pauses everything.
    pub fn is_total(&self) -> bool {
        self.addresses.is_empty()
    }
}

/// All pauses that have not expired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// The pauses, in the order in which they began.
    pub list: Vec<Pause>,
    /// Lines that do not verify.
    pub damage: Option<Damage>,
}

/// The file of pauses. Any command may replace it; a watch follows it.
#[derive(Clone)]
pub struct PauseFile {
    pub(crate) storage: Arc<dyn Storage>,
}

impl PauseFile {
    /// Its name in the state directory.
    pub const NAME: &str = "paused";

    /// The pauses that have not expired.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self, now: Time) -> Result<Pauses> {
        let content = read_if_present(&*self.storage, FILE, Part::All).attempt("read", FILE)?;
        let scan = scan(&content, Chain::None);
        let pauses = scan.lines.iter().filter_map(VerifiedLine::record::<Pause>);
        let list = pauses.filter(|pause| pause.until > now).collect();
        Ok(Pauses { list, damage: damage(FILE, &scan) })
    }

    /// Adds a pause. It replaces earlier ones of the same patterns, or of everything.
    ///
    /// # Errors
    /// If the file cannot be read or replaced: then nothing is paused.
    pub fn add(&self, pause: Pause, now: Time) -> Result<()> {
        let _lock = self.lock()?;
        let list = self.read(now)?.list;
        let mut list: Vec<Pause> = if pause.is_total() {
            list.into_iter().filter(|other| !other.is_total()).collect()
        } else {
            divide(list, |pattern| pause.addresses.iter().any(|address| address == pattern)).1
        };
        list.push(pause);
        self.replace(&list)
    }

    /// Removes all pauses. Returns them.
    ///
    /// # Errors
    /// If the file cannot be read or replaced.
    pub fn clear(&self, now: Time) -> Result<Vec<Pause>> {
        let _lock = self.lock()?;
        let list = self.read(now)?.list;
        self.replace(&[])?;
        Ok(list)
    }

    /// Removes patterns from all pauses, and pauses without any other pattern. A pause of everything stays. Returns what it
    /// removed.
    ///
    /// # Errors
    /// If the file cannot be read or replaced.
    pub fn remove(&self, is_named: impl Fn(&str) -> bool, now: Time) -> Result<Vec<Pause>> {
        let _lock = self.lock()?;
        let (removed, kept) = divide(self.read(now)?.list, is_named);
        if !removed.is_empty() {
            self.replace(&kept)?;
        }
        Ok(removed)
    }

    /// Two commands at the same time would lose the pause of one of them.
    fn lock(&self) -> Result<Box<dyn Send>> {
        self.storage.lock().attempt("lock", FILE)
    }

    fn replace(&self, list: &[Pause]) -> Result<()> {
        let lines: std::io::Result<String> = list.iter().map(seal).collect();
        let content = lines.attempt("encode", FILE)?;
        self.storage.replace(FILE, content.as_bytes(), Durability::Synced).attempt("replace", FILE)
    }
}

/// Pauses of the patterns of which `is_named` is true, and of all others.
fn divide(list: Vec<Pause>, is_named: impl Fn(&str) -> bool) -> (Vec<Pause>, Vec<Pause>) {
    let (mut named, mut others) = (Vec::new(), Vec::new());
    for pause in list {
        let (some, rest): (Vec<_>, Vec<_>) =
            pause.addresses.iter().cloned().partition(|pattern| is_named(pattern));
        if !some.is_empty() {
            named.push(Pause { addresses: some, ..pause.clone() });
        }
        if pause.is_total() || !rest.is_empty() {
            others.push(Pause { addresses: rest, ..pause });
        }
    }
    (named, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::MemoryStorage;

    fn pause(addresses: &[&str], until: i64) -> Pause {
        let addresses = addresses.iter().copied().map(str::to_owned).collect();
        Pause { addresses, user: "ann".into(), reason: None, since: Time(0), until: Time(until) }
    }

    /// The patterns and the expiry of each pause.
    fn shown(list: &[Pause]) -> Vec<(String, i64)> {
        list.iter().map(|pause| (pause.addresses.join(" "), pause.until.0)).collect()
    }

    #[test]
    fn a_pause_ends_at_its_expiry_or_on_request() {
        let file = PauseFile { storage: Arc::new(MemoryStorage::default()) };
        let check = |now: i64, expected: &[(&str, i64)]| {
            let expected: Vec<_> =
                expected.iter().map(|(text, until)| ((*text).to_owned(), *until)).collect();
            assert_eq!(shown(&file.read(Time(now)).unwrap().list), expected);
        };
        file.add(pause(&["file.*", "file.a"], 100), Time(0)).unwrap();
        file.add(pause(&["file.a"], 200), Time(0)).unwrap();
        check(50, &[("file.*", 100), ("file.a", 200)]);
        check(100, &[("file.a", 200)]);
        file.add(pause(&["file.b", "file.c"], 300), Time(100)).unwrap();
        assert_eq!(
            shown(&file.remove(|pattern| pattern == "file.b", Time(100)).unwrap()),
            [("file.b".into(), 300)]
        );
        check(100, &[("file.a", 200), ("file.c", 300)]);
        file.add(pause(&[], 300), Time(100)).unwrap();
        file.add(pause(&[], 250), Time(100)).unwrap();
        check(100, &[("file.a", 200), ("file.c", 300), ("", 250)]);
        assert_eq!(file.remove(|_| true, Time(100)).unwrap().len(), 2);
        check(100, &[("", 250)]);
        assert_eq!(file.clear(Time(100)).unwrap().len(), 1);
        assert_eq!(file.read(Time(100)).unwrap(), Pauses::default());
    }
}
