//! The table of contents of the book names every page of `docs` once.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::link;
use crate::workspace;
use crate::workspace::CONTENTS;
use crate::workspace::Source;

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    let pages = sources.iter().filter(|source| is_page(&source.path)).map(|source| &*source.path);
    let Some(table) = sources.iter().find(|source| source.path == CONTENTS) else {
        return pages.take(1).map(|page| Finding::new(page, 0, format!("there is no {CONTENTS}"))).collect();
    };
    let mut lines: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (line, target) in link::links(&table.text) {
        if let Some(page) = link::resolve(CONTENTS, target) {
            lines.entry(page).or_default().push(line);
        }
    }
    let missing = pages.filter(|page| !lines.contains_key(*page));
    let missing = missing.map(|page| Finding::new(page, 0, format!("not in {CONTENTS}")));
    let repeated = lines.iter().flat_map(|(page, lines)| lines.iter().skip(1).map(move |line| (page, line)));
    let repeated =
        repeated.map(|(page, line)| Finding::new(CONTENTS, *line, format!("`{page}` is listed twice")));
    let stale = workspace::updated(&table.text, sources) != table.text;
    let stale = stale.then(|| Finding::new(CONTENTS, 0, "a list is out of date: run `cargo xtask generate`"));
    missing.chain(repeated).chain(stale).collect()
}

fn is_page(path: &str) -> bool {
    path.starts_with("docs/") && path.ends_with(".md") && path != CONTENTS
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn a_missing_page_is_found() {
        let tree =
            [("docs/SUMMARY.md", "- [A](a.md)\n"), ("docs/a.md", ""), ("docs/b/c.md", ""), ("README.md", "")];
        assert_eq!(found(check, &tree), ["docs/b/c.md: not in docs/SUMMARY.md"]);
        assert_eq!(found(check, &tree[1..]), ["docs/a.md: there is no docs/SUMMARY.md"]);
    }

    #[test]
    fn a_page_that_is_listed_twice_is_found() {
        let text = "- [A](a.md)\n- [C](b/c.md)\n- [Part]()\n  - [A](./a.md)\n";
        let tree = [("docs/SUMMARY.md", text), ("docs/a.md", ""), ("docs/b/c.md", "")];
        assert_eq!(found(check, &tree), ["docs/SUMMARY.md:4: `docs/a.md` is listed twice"]);
    }

    #[test]
    fn a_stale_list_is_found() {
        let tree = [
            ("docs/SUMMARY.md", "- [Decisions]()\n  - [1. Old](decisions/1.md)\n"),
            ("docs/decisions/1.md", "# 1. New\n"),
        ];
        assert_eq!(
            found(check, &tree),
            ["docs/SUMMARY.md: a list is out of date: run `cargo xtask generate`"]
        );
    }
}
