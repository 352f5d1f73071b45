//! Every dependency has a licence that `deny.toml` allows.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::manifest::Manifest;
use crate::failure::Result;
use crate::program::{self, cargo};
use crate::workspace::Source;

/// One line for each package that we build: its name and its licence.
pub(crate) fn tree() -> Result<String> {
    program::output(cargo().args(["tree", "--workspace", "--prefix", "none", "--format", "{p}|{l}"]))
}

pub(crate) fn check(sources: &[Source], tree: &str) -> Vec<Finding> {
    let allowed = Manifest::of(sources, "deny.toml").words("licenses", "allow");
    let lines: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    lines
        .into_iter()
        .filter_map(|line| line.split_once('|'))
        .filter(|(_, licence)| !is_allowed(licence, &allowed))
        .map(|(package, licence)| {
            let name = package.split(' ').next().unwrap_or_default();
            Finding::new(
                "Cargo.lock",
                0,
                format!("`{name}` is under `{licence}`, which deny.toml does not allow"),
            )
        })
        .collect()
}

/// Whether an SPDX expression leaves an allowed choice: `OR` binds weaker than `AND`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest, allowed) && rest.is_empty()
}

fn any(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut holds = all(words, allowed);
    while let ["OR", rest @ ..] = *words {
        *words = rest;
        holds |= all(words, allowed);
    }
    holds
}

fn all(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut holds = one(words, allowed);
    while let ["AND", rest @ ..] = *words {
        *words = rest;
        holds &= one(words, allowed);
    }
    holds
}

fn one(words: &mut &[&str], allowed: &[String]) -> bool {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let holds = any(words, allowed);
            if let [")", rest @ ..] = *words {
                *words = rest;
            }
            holds
        }
        // An exception only adds permissions.
        [name, "WITH", _, rest @ ..] | [name, rest @ ..] => {
            *words = rest;
            allowed.iter().any(|allowed| allowed == name)
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
        let allowed = ["Apache-2.0", "MIT", "Unicode-3.0"].map(str::to_owned);
        for (expression, holds) in table {
            assert_eq!(is_allowed(expression, &allowed), holds, "{expression}");
        }
    }

    #[test]
    fn a_licence_that_is_not_allowed_fires_once() {
        let deny = "[licenses]\nallow = [\"MIT\"]".to_owned();
        let sources = [Source { path: "deny.toml".to_owned(), text: deny }];
        let tree = "a v1.0.0|MIT\n\nb v1.0.0|GPL-3.0-only\nb v1.0.0|GPL-3.0-only (*)\nc v1.0.0|";
        let lines: Vec<String> = check(&sources, tree).iter().map(Finding::to_string).collect();
        assert_eq!(
            lines,
            [
                "Cargo.lock: `b` is under `GPL-3.0-only`, which deny.toml does not allow",
                "Cargo.lock: `c` is under ``, which deny.toml does not allow",
            ]
        );
    }
}
