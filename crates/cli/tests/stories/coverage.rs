//! `docs/facts-mgmt.md` lists the test of each fact; these tests check that the list is complete.

use std::fs;
use std::path::PathBuf;

const TABLE: &str = include_str!("../../../../docs/facts-mgmt.md");

/// All tests in the table: `file.rs::test`.
fn tests() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = TABLE.lines().filter(|line| line.starts_with("| "));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2)).filter_map(|place| place.split_once(".rs::"))
}

fn source(file: &str) -> String {
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let stories = crates.join("cli/tests/stories").join(format!("{file}.rs"));
    let path = if file.contains('/') { crates.join(format!("{file}.rs")) } else { stories };
    fs::read_to_string(&path).unwrap_or_else(|_| panic!("there is no {}", path.display()))
}

#[test]
fn every_test_in_the_table_exists() {
    let mut rows = 0;
    for (file, test) in tests() {
        assert!(source(file).contains(&format!("fn {test}()")), "{file}.rs has no {test}");
        rows += 1;
    }
    assert!(rows > 80, "{rows} tests");
}

#[test]
fn each_story_has_a_row() {
    for file in [
        "attributes",
        "commands",
        "drift",
        "endings",
        "graphs",
        "locks",
        "metrics",
        "races",
        "swaps",
        "values",
        "weaknesses",
    ] {
        let text = source(file);
        let names =
            text.split("#[test]\nfn ").skip(1).filter_map(|rest| rest.split_once('(')).map(|(name, _)| name);
        for name in names {
            assert!(tests().any(|test| test == (file, name)), "{name} of {file}.rs has no row");
        }
    }
}
