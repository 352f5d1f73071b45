//! `uphold test`: executable pages, including the page of the documentation, and output for programs.

mod laws;
mod programs;

use crate::binary;
use crate::scenarios::page;

#[track_caller]
fn check(path: &str) {
    let wrong: Vec<String> = page::all(path).iter().filter_map(page::Page::difference).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages() {
    check("../testing/pages");
}

#[test]
fn documentation() {
    check("../../../../docs/testing.md");
}

#[test]
fn the_example_passes() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/site");
    let run = binary::uphold(["test", examples]);
    assert_eq!((run.code, &*run.err), (0, ""), "{}", run.out);
    assert!(run.out.contains("9 passed, 0 failed"), "{}", run.out);
    let layout = binary::uphold(["fmt", "--check", "--recursive", examples]);
    assert_eq!(layout.code, 0, "{}", layout.out);
}
