//! Pauses: resources that are checked but not changed, until an expiry.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::failure::{Attempt, Result};
use crate::line::{Chain, Damage, VerifiedLine, damage, scan, seal};
use crate::storage::{Durability, Part, Storage, read_if_present};
use crate::time::Time;

const FILE: &str = "paused";

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

    fn covers(&self, address: &str) -> bool {
        self.is_total() || self.addresses.iter().any(|pattern| matches(pattern, address))
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

impl Pauses {
    /// The pause of a resource that lasts longest.
    pub fn of(&self, address: &str) -> Option<&Pause> {
        self.list.iter().filter(|pause| pause.covers(address)).max_by_key(|pause| pause.until)
    }

    /// The pause of everything.
    pub fn total(&self) -> Option<&Pause> {
        self.list.iter().filter(|pause| pause.is_total()).max_by_key(|pause| pause.until)
    }

    /// The next expiry.
    pub fn next_expiry(&self) -> Option<Time> {
        self.list.iter().map(|pause| pause.until).min()
    }
}

/// The file of pauses. Any command may replace it; a watch follows it.
#[derive(Clone)]
pub struct PauseFile {
    pub(crate) storage: Arc<dyn Storage>,
}

impl PauseFile {
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

    /// Adds a pause.
    ///
    /// # Errors
    /// If the file cannot be read or replaced: then nothing is paused.
    pub fn add(&self, pause: Pause, now: Time) -> Result<()> {
        let mut list = self.read(now)?.list;
        list.push(pause);
        self.replace(&list)
    }

    /// Removes the pauses with one of these patterns, or all for an empty list. Returns those that it removed.
    ///
    /// # Errors
    /// If the file cannot be read or replaced.
    pub fn remove(&self, addresses: &[String], now: Time) -> Result<Vec<Pause>> {
        let is_named = |pause: &Pause| {
            addresses.is_empty() || pause.addresses.iter().any(|pattern| addresses.contains(pattern))
        };
        let (removed, kept): (Vec<_>, Vec<_>) = self.read(now)?.list.into_iter().partition(is_named);
        self.replace(&kept)?;
        Ok(removed)
    }

    fn replace(&self, list: &[Pause]) -> Result<()> {
        let lines: std::io::Result<String> =
            list.iter().map(|pause| seal(pause, "").map(|line| line.text)).collect();
        let content = lines.attempt("encode", FILE)?;
        self.storage.replace(FILE, content.as_bytes(), Durability::Synced).attempt("replace", FILE)
    }
}

/// Whether a pattern matches a whole text. Costs at most the product of their lengths.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut here, mut star) = (0, 0, None);
    while here < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(expected) if *expected == '?' || *expected == text[here] => {
                at += 1;
                here += 1;
            }
            _ => {
                let Some((after, from)) = star else { return false };
                star = Some((after, from + 1));
                (at, here) = (after + 1, from + 1);
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::MemoryStorage;

    fn pause(addresses: &[&str], until: i64) -> Pause {
        let addresses = addresses.iter().copied().map(str::to_owned).collect();
        Pause { addresses, user: "ann".into(), reason: None, since: Time(0), until: Time(until) }
    }

    #[test]
    fn patterns_match_whole_addresses() {
        let check = |pattern: &str, expected: bool| {
            assert_eq!(matches(pattern, "file[\"/etc/nginx/a.conf\"]"), expected, "{pattern}");
        };
        check("file[\"/etc/nginx/a.conf\"]", true);
        check("file[\"/etc/nginx/*\"]", true);
        check("*", true);
        check("*nginx*conf*", true);
        check("file[\"/etc/nginx/?.conf\"]", true);
        check("file[\"/etc/nginx/\"]", false);
        check("file", false);
        check("*.conf", false);
        check("", false);
    }

    #[test]
    fn a_pause_ends_at_its_expiry_or_on_request() {
        let file = PauseFile { storage: Arc::new(MemoryStorage::default()) };
        file.add(pause(&["file.*"], 100), Time(0)).unwrap();
        file.add(pause(&["file.a"], 200), Time(0)).unwrap();
        let pauses = file.read(Time(50)).unwrap();
        assert_eq!(pauses.of("file.a").unwrap().until, Time(200));
        assert_eq!(pauses.of("file.b").unwrap().until, Time(100));
        assert_eq!((pauses.of("user.b"), pauses.total()), (None, None));
        assert_eq!(pauses.next_expiry(), Some(Time(100)));
        assert_eq!(file.read(Time(100)).unwrap().of("file.b"), None);
        assert_eq!(file.remove(&["file.a".into()], Time(50)).unwrap().len(), 1);
        file.add(pause(&[], 300), Time(50)).unwrap();
        assert!(file.read(Time(50)).unwrap().total().is_some());
        assert_eq!(file.remove(&[], Time(50)).unwrap().len(), 2);
        assert_eq!(file.read(Time(50)).unwrap(), Pauses::default());
    }
}
