//! Accounts that are in no file: the network's, or those that an init system makes up.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use uphold_resource::{Command, Stop};

use crate::accounts::Version;
use crate::process;
use crate::root::Root;
use crate::table::{Key, Record};

/// A directory server that is down must not stop a run for long.
const PATIENCE: Duration = Duration::from_secs(10);

/// No file tells when these answers change, so they are asked for again now and then.
const GOOD_FOR: Duration = Duration::from_secs(60);

/// What `getent` said, kept until the account file changes or a minute has passed.
pub(crate) struct NameService<T> {
    answers: Mutex<Answers<T>>,
}

struct Answers<T> {
    version: Version,
    since: Option<Instant>,
    known: HashMap<String, Option<T>>,
}

impl<T> Default for NameService<T> {
    fn default() -> Self {
        Self { answers: Mutex::new(Answers { version: None, since: None, known: HashMap::new() }) }
    }
}

impl<T: Record> NameService<T> {
    /// Asks once for each key. `version` is the account file's.
    pub(crate) fn find(&self, key: Key<'_>, version: Version) -> Option<T> {
        let word = question(key)?;
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let stale = answers.since.is_none_or(|since| since.elapsed() > GOOD_FOR);
        if stale || answers.version != version {
            *answers = Answers { version, since: Some(Instant::now()), known: HashMap::new() };
        }
        let answer = answers.known.entry(word).or_insert_with_key(|word| ask(word));
        answer.clone().filter(|record| matches(record, key))
    }
}

/// The word for `getent`. It takes a number for an id, so a name of digits cannot be asked for.
fn question(key: Key<'_>) -> Option<String> {
    match key {
        Key::Id(id) => Some(id.to_string()),
        Key::Name(name) => {
            let number = name.bytes().all(|byte| byte.is_ascii_digit());
            let odd = name.starts_with('-') || name.contains([':', '\n', '\0']);
            (!number && !odd).then(|| name.to_owned())
        }
    }
}

/// No `getent`, no answer and a broken answer are all the same: nobody knows the name.
fn ask<T: Record>(word: &str) -> Option<T> {
    let mut command = Command::new("getent", [T::DATABASE, word]);
    command.timeout = Some(PATIENCE);
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
    fn questions() {
        let check = |key: Key<'_>, expected: Option<&str>| assert_eq!(question(key).as_deref(), expected);
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
