//! Accounts of other name services: a directory server's, or those of an init system.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use uphold_resource::{Command, Mutex, Stop};

use crate::account_table::{Key, Record};
use crate::accounts::Version;
use crate::process;
use crate::root::Root;

/// The timeout of `getent`: a directory server that is down must not block a run for long.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long results are cached. No file shows when they change.
const CACHED_FOR: Duration = Duration::from_secs(60);

/// A cache of `getent` results, valid until the account file changes or a minute has passed.
pub(crate) struct NameService<T> {
    cache: Mutex<Cache<T>>,
}

struct Cache<T> {
    version: Version,
    since: Option<Instant>,
    known: HashMap<String, Option<T>>,
}

impl<T> Default for NameService<T> {
    fn default() -> Self {
        Self { cache: Mutex::new(Cache { version: None, since: None, known: HashMap::new() }) }
    }
}

impl<T: Record> NameService<T> {
    /// Runs `getent` once for each key. `version` is the account file's.
    pub(crate) fn find(&self, key: Key<'_>, version: Version) -> Option<T> {
        let word = search_word(key)?;
        let mut cache = self.cache.lock();
        let stale = cache.since.is_none_or(|since| since.elapsed() > CACHED_FOR);
        if stale || cache.version != version {
            *cache = Cache { version, since: Some(Instant::now()), known: HashMap::new() };
        }
        let record = cache.known.entry(word).or_insert_with_key(|word| ask(word));
        record.clone().filter(|record| matches(record, key))
    }
}

/// The argument for `getent`. It takes a number for an id, so a name of digits cannot be looked up.
fn search_word(key: Key<'_>) -> Option<String> {
    match key {
        Key::Id(id) => Some(id.to_string()),
        Key::Name(name) => {
            let number = name.bytes().all(|byte| byte.is_ascii_digit());
            let odd = name.starts_with('-') || name.contains([':', '\n', '\0']);
            (!number && !odd).then(|| name.to_owned())
        }
    }
}

/// Runs `getent`. A missing program, no result and an invalid result all mean that the name does not exist.
fn ask<T: Record>(word: &str) -> Option<T> {
    let mut command = Command::new("getent", [T::DATABASE, word]);
    command.timeout = Some(TIMEOUT);
    let output = process::run(&Root::machine(), &command, &Stop::default())
        .ok()
        .filter(uphold_resource::Output::success)?;
    T::parse(String::from_utf8_lossy(&output.stdout).lines().next()?)
}

fn matches<T: Record>(record: &T, key: Key<'_>) -> bool {
    match key {
        Key::Id(id) => record.id() == id,
        Key::Name(name) => record.name() == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_getent_accepts() {
        let check = |key: Key<'_>, expected: Option<&str>| assert_eq!(search_word(key).as_deref(), expected);
        check(Key::Id(7), Some("7"));
        check(Key::Name("ann"), Some("ann"));
        check(Key::Name("7up"), Some("7up"));
        check(Key::Name("7"), None);
        check(Key::Name(""), None);
        check(Key::Name("-s"), None);
        check(Key::Name("a:b"), None);
        check(Key::Name("a\nb"), None);
    }
}
