//! Every dependency's licence lets us ship under MIT or Apache-2.0.

use std::collections::BTreeSet;

use super::finding::Finding;
use crate::failure::Result;
use crate::program::{self, cargo};

/// Licences that ask for no more than a notice.
const ACCEPTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
];

/// One line for each package that we build: its name and its licence.
pub(crate) fn tree() -> Result<String> {
    program::output(cargo().args(["tree", "--workspace", "--prefix", "none", "--format", "{p}|{l}"]))
}

pub(crate) fn check(tree: &str) -> Vec<Finding> {
    let lines: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    lines
        .into_iter()
        .filter_map(|line| line.split_once('|'))
        .filter(|(_, licence)| !is_accepted(licence))
        .map(|(package, licence)| {
            let name = package.split(' ').next().unwrap_or_default();
            Finding::new("Cargo.lock", 0, format!("`{name}` is under `{licence}`, which we do not accept"))
        })
        .collect()
}

/// Whether an SPDX expression leaves us an accepted choice: `OR` binds weaker than `AND`.
fn is_accepted(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest) && rest.is_empty()
}

fn any(words: &mut &[&str]) -> bool {
    let mut accepted = all(words);
    while let ["OR", rest @ ..] = *words {
        *words = rest;
        accepted |= all(words);
    }
    accepted
}

fn all(words: &mut &[&str]) -> bool {
    let mut accepted = one(words);
    while let ["AND", rest @ ..] = *words {
        *words = rest;
        accepted &= one(words);
    }
    accepted
}

fn one(words: &mut &[&str]) -> bool {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let accepted = any(words);
            if let [")", rest @ ..] = *words {
                *words = rest;
            }
            accepted
        }
        // An exception only adds permissions.
        [name, "WITH", _, rest @ ..] | [name, rest @ ..] => {
            *words = rest;
            ACCEPTED.contains(name)
        }
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_understood() {
        let table = [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT", true),
            ("GPL-3.0-only AND MIT", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(MIT OR Apache-2.0) AND GPL-3.0-only", false),
            ("MIT OR GPL-3.0-only AND LGPL-3.0-only", true),
            ("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", true),
            ("", false),
        ];
        for (expression, accepted) in table {
            assert_eq!(is_accepted(expression), accepted, "{expression}");
        }
    }

    #[test]
    fn a_licence_that_binds_us_fires_once() {
        let findings = check("a v1.0.0|MIT\n\nb v1.0.0|GPL-3.0-only\nb v1.0.0|GPL-3.0-only (*)\nc v1.0.0|");
        let lines: Vec<String> = findings.iter().map(Finding::to_string).collect();
        assert_eq!(
            lines,
            [
                "Cargo.lock: `b` is under `GPL-3.0-only`, which we do not accept",
                "Cargo.lock: `c` is under ``, which we do not accept",
            ]
        );
    }
}
