//! What is made of a file is kept until the file changes.

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use uphold_memory::MemoryHost;
use uphold_resource::{Error, ErrorKind, Parsed, Reading, Result};

thread_local! {
    static PARSED: Cell<u32> = const { Cell::new(0) };
}

struct Words(usize);

impl Parsed for Words {
    fn parse(content: &[u8]) -> Result<Self> {
        PARSED.set(PARSED.get() + 1);
        let text = std::str::from_utf8(content);
        let text = text.map_err(|_| Error::new(ErrorKind::Invalid, "not text"))?;
        Ok(Self(text.split_whitespace().count()))
    }
}

/// How many words are in the file, and how often it was parsed to find that out.
fn words(host: &MemoryHost, path: &str) -> (Option<usize>, u32) {
    PARSED.set(0);
    let host: &Reading<'_> = &host.act();
    let found = host.parsed::<Words>(Path::new(path)).unwrap();
    (found.map(|words| words.0), PARSED.get())
}

#[test]
fn a_file_is_read_once_until_it_changes() {
    let host = MemoryHost::new().file("/words", "one two", 0o644);
    host.advance(Duration::from_secs(1));
    assert_eq!(words(&host, "/words"), (Some(2), 1));
    assert_eq!(words(&host, "/words"), (Some(2), 0));
    host.tamper("/words", "ten two");
    assert_eq!(words(&host, "/words"), (Some(2), 1));
    assert_eq!(words(&host, "/none"), (None, 0));
}

#[test]
fn what_may_change_within_the_same_tick_is_not_kept() {
    let host = MemoryHost::new().file("/words", "one two", 0o644);
    assert_eq!(words(&host, "/words"), (Some(2), 1));
    assert_eq!(words(&host, "/words"), (Some(2), 1));
}

#[test]
fn what_cannot_be_understood_is_told_with_its_path() {
    let host = MemoryHost::new().file("/words", b"\xff", 0o644);
    let host: &Reading<'_> = &host.act();
    let error = host.parsed::<Words>(Path::new("/words")).err().unwrap();
    assert!(error.to_string().contains("/words"), "{error}");
}

/// What a slow look says of two files, and whether it was taken.
fn slow_look(host: &MemoryHost) -> (u32, bool) {
    let taken = Cell::new(false);
    let host: &Reading<'_> = &host.act();
    let look = || {
        taken.set(true);
        PARSED.set(PARSED.get() + 1);
        Ok(PARSED.get())
    };
    let found = host.noted(&["/words", "/more"], look).unwrap();
    (*found, taken.get())
}

#[test]
fn a_slow_look_is_taken_again_when_any_of_its_files_changes() {
    PARSED.set(0);
    let host = MemoryHost::new().file("/words", "one", 0o644);
    host.advance(Duration::from_secs(1));
    assert_eq!(slow_look(&host), (1, true));
    assert_eq!(slow_look(&host), (1, false));
    host.tamper("/more", "comes");
    assert_eq!(slow_look(&host), (2, true));
    assert_eq!(slow_look(&host), (3, true), "it may change within the same tick");
    host.advance(Duration::from_secs(1));
    assert_eq!(slow_look(&host), (4, true));
    assert_eq!(slow_look(&host), (4, false));
    host.delete("/more");
    assert_eq!(slow_look(&host), (5, true));
}
