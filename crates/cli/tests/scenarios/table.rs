//! `docs/seeds.md` lists all pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use super::page::home;

const TABLE: &str = include_str!("../../../../docs/seeds.md");
const LINK: &str = "](../crates/cli/tests/scenarios/";

/// All pages, as `directory/page.md`.
fn pages() -> BTreeSet<String> {
    let below =
        |path: PathBuf| fs::read_dir(path).expect("a directory").map(|entry| entry.expect("an entry").path());
    let directories = below(home()).filter(|path| path.is_dir());
    let named = |page: PathBuf| page.strip_prefix(home()).expect("it is below").display().to_string();
    directories.flat_map(below).map(named).collect()
}

#[test]
fn the_table_has_every_page_and_no_other() {
    let links = TABLE.split(LINK).skip(1);
    let linked: BTreeSet<String> =
        links.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect();
    assert_eq!(linked, pages());
}
