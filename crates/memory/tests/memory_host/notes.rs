//! Parsed files are cached until they change.

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

/// The number of words in the file, and how often it was parsed.
fn words(host: &MemoryHost, path: &str) -> (Option<usize>, u32) {
    PARSED.set(0);
    let host: &Reading<'_> = &host.act();
    let found = host.parsed::<Words>(Path::new(path)).unwrap();
    (found.map(|words| words.0), PARSED.get())
}

#[test]
fn reads_a_file_again_only_after_a_change() {
    let host = MemoryHost::new().file("/words", "one two", 0o644);
    host.advance(Duration::from_secs(1));
    assert_eq!(words(&host, "/words"), (Some(2), 1));
    assert_eq!(words(&host, "/words"), (Some(2), 0));
    host.tamper("/words", "ten two");
    assert_eq!(words(&host, "/words"), (Some(2), 1));
    assert_eq!(words(&host, "/none"), (None, 0));
}

#[test]
fn does_not_cache_a_file_that_may_change_within_the_same_tick() {
    let host = MemoryHost::new().file("/words", "one two", 0o644);
    assert_eq!(words(&host, "/words"), (Some(2), 1));
    assert_eq!(words(&host, "/words"), (Some(2), 1));
}

#[test]
fn a_parse_error_contains_the_path() {
    let host = MemoryHost::new().file("/words", b"\xff", 0o644);
    let host: &Reading<'_> = &host.act();
    let error = host.parsed::<Words>(Path::new("/words")).err().unwrap();
    assert!(error.to_string().contains("/words"), "{error}");
}

/// The result of a slow query of two files, and whether it ran.
fn slow_query(host: &MemoryHost) -> (u32, bool) {
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
fn repeats_a_slow_query_after_a_change_of_any_file() {
    PARSED.set(0);
    let host = MemoryHost::new().file("/words", "one", 0o644);
    host.advance(Duration::from_secs(1));
    assert_eq!(slow_query(&host), (1, true));
    assert_eq!(slow_query(&host), (1, false));
    host.tamper("/more", "comes");
    assert_eq!(slow_query(&host), (2, true));
    assert_eq!(slow_query(&host), (3, true), "it may change within the same tick");
    host.advance(Duration::from_secs(1));
    assert_eq!(slow_query(&host), (4, true));
    assert_eq!(slow_query(&host), (4, false));
    host.delete("/more");
    assert_eq!(slow_query(&host), (5, true));
}
