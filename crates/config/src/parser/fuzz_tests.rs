//! Fuzz tests of the parser: it handles every text.

use proptest::prelude::*;

use super::print::{node_text, parsed};
use crate::tree::{Content, Item, Items, TreeView};

/// The pieces of generated texts.
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

/// Prints all items, so that every link in the tree is followed.
fn walk(tree: TreeView<'_>, items: Items) -> Vec<String> {
    tree.items(items).map(|item| item_text(tree, item)).collect()
}

fn item_text(tree: TreeView<'_>, item: Item<'_>) -> String {
    let Item { key, name, value, content } = item;
    let content = match content {
        Content::Expression(node) => node_text(tree, node),
        Content::Block { labels, items } => {
            format!("{:?} {:?}", tree.labels(labels).collect::<Vec<_>>(), walk(tree, items))
        }
        Content::Broken => "broken".into(),
    };
    format!("{key} {name:?} {value:?} {content}")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tokens(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60)) {
        let text = tokens.concat();
        let (sources, code, tree, problems) = parsed(&text);
        let whole = TreeView::new(&code, &tree);
        let items = walk(whole, tree.root);
        if problems.is_empty() {
            // Deferred expressions are parsed again from their start.
            let starts: Vec<u32> = whole.items(tree.root).map(|item| item.name.start).collect();
            let again = code.parse_again(&starts);
            prop_assert_eq!(walk(TreeView::new(&code, &again), again.root), items);
        }
        for problem in &problems {
            prop_assert!(!problem.detail.is_empty() && problem.fix.is_some(), "{:?}", problem);
            // Slicing panics if a place is not on a character boundary.
            let place = problem.place.map(|place| sources.text(place));
            prop_assert!(place.is_some(), "{:?}", problem);
            problem.related.iter().for_each(|related| drop(sources.text(related.place).to_owned()));
        }
    }
}
