//! `cargo xtask tidy`: house rules that the compiler does not check.

use crate::failure::{Failure, Result};
use crate::workspace::{self, Source};

mod banned;
mod contents;
mod crate_doc;
mod file_name;
mod finding;
mod inheritance;
mod layer;
mod licence;
pub(crate) mod link;
mod lockfile;
mod manifest;
mod mask;
mod path_calls;
mod size;
mod smallest;
mod summary_comparison;
mod test_modules;
mod this_machine;
mod wording;

use finding::Finding;

/// A rule: a pure function from the source tree to its findings.
type Rule = fn(&[Source]) -> Vec<Finding>;

const RULES: &[(&str, Rule)] = &[
    ("layers", layer::check),
    ("manifests inherit", inheritance::check),
    ("lock file", lockfile::check),
    ("sizes", size::check),
    ("banned words", banned::check),
    ("wording", wording::check),
    ("file names", file_name::check),
    ("test files", test_modules::check),
    ("calls by path", path_calls::check),
    ("codes, not words", summary_comparison::check),
    ("no trace of this machine", this_machine::check),
    ("crates say what they are", crate_doc::check),
    ("links", link::check),
    ("table of contents", contents::check),
];

/// Runs every rule, prints all findings, and fails if there are any.
pub(crate) fn run() -> Result {
    let sources = workspace::sources()?;
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|(_, rule)| rule(&sources)).collect();
    findings.extend(licence::check(&sources, &licence::tree()?));
    findings.extend(smallest::check(&smallest::tree()?));
    if findings.is_empty() {
        println!("{} rules, {} files: nothing to tidy", RULES.len() + 2, sources.len());
        return Ok(());
    }
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    Err(Failure::new(format!("{} to tidy", counted(findings.len()))))
}

fn counted(count: usize) -> String {
    if count == 1 { "1 thing".to_owned() } else { format!("{count} things") }
}
