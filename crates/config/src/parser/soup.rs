//! Whatever the text, the parser answers.

use proptest::prelude::*;

use super::print::{node_text, parsed};
use crate::tree::{Content, Slice, Tree};

/// What texts are made of.
const TOKENS: &[&str] = &[
    "a",
    "k \"n\" {\n",
    "}\n",
    "v = ",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "${",
    "${~",
    "~}",
    "%{",
    "%{ if a }",
    "%{ else }",
    "%{ endif }",
    "%{~ for x in y ~}",
    "%{ endfor }",
    "$${",
    "<<A\n",
    "<<-A\n",
    "A\n",
    "\n",
    "=",
    ":",
    ",",
    ".",
    "...",
    "0644",
    "1.5",
    "-",
    "*",
    "?",
    "!",
    "==",
    "=>",
    "&&",
    "||",
    "<",
    "+",
    "/",
    "%",
    "&",
    "::",
    "for ",
    "for x in ",
    "if ",
    "and ",
    "not ",
    "f(",
    "[*]",
    ".*",
    ".0",
    "true",
    "#",
    "/*",
    "*/",
    "\\",
    "\r\n",
    "é",
    "€",
    "~",
    "'",
    "\u{feff}",
    "\0",
    " ",
];

/// Prints all expressions, so that every link in the tree is followed.
fn walk(tree: &Tree, items: Slice) -> usize {
    let length = |item: &crate::tree::Item| match item.content {
        Content::Expression(node) => node_text(tree, node).len(),
        Content::Block { items, .. } => walk(tree, items),
        Content::Broken => 0,
    };
    tree.items(items).iter().map(length).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tokens(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60)) {
        let text = tokens.concat();
        let (sources, tree, problems) = parsed(&text);
        walk(&tree, tree.root);
        for problem in &problems {
            prop_assert!(!problem.detail.is_empty() && problem.fix.is_some(), "{:?}", problem);
            // Slicing fails if a place is not on characters.
            let place = problem.place.map(|place| sources.text(place));
            prop_assert!(place.is_some(), "{:?}", problem);
            problem.related.iter().for_each(|related| drop(sources.text(related.place).to_owned()));
        }
    }
}
