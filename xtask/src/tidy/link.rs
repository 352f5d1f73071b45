//! Relative links in Markdown lead somewhere.

use super::finding::Finding;
use crate::workspace::Source;

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.path.ends_with(".md")) {
        for (line, target) in links(&source.text) {
            if is_relative(target) && !leads_somewhere(sources, &source.path, target) {
                findings.push(Finding::new(
                    &source.path,
                    line,
                    format!("the link to `{target}` leads nowhere"),
                ));
            }
        }
    }
    findings
}

/// The targets of `[text](target)`, each with its line; fenced blocks and code spans are not links.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            links.extend(targets(line, &prose_mask(line)).map(|target| (index + 1, target)));
        }
    }
    links
}

/// Which byte positions of the line lie outside of code spans.
fn prose_mask(line: &str) -> Vec<bool> {
    let mut in_code = false;
    let flip = |byte: u8| {
        in_code ^= byte == b'`';
        !in_code
    };
    line.bytes().map(flip).collect()
}

fn targets<'a>(line: &'a str, prose: &[bool]) -> impl Iterator<Item = &'a str> {
    line.match_indices("](").filter(|(at, _)| prose[*at]).filter_map(|(at, opening)| {
        let rest = &line[at + opening.len()..];
        // A title may follow the target: `(file.md "Title")`.
        rest[..rest.find(')')?].split_whitespace().next()
    })
}

fn is_relative(target: &str) -> bool {
    !target.starts_with('#') && !target.contains("://") && !target.starts_with("mailto:")
}

fn leads_somewhere(sources: &[Source], from: &str, target: &str) -> bool {
    let file = target.split('#').next().unwrap_or_default();
    let Some(path) = resolve(from, file) else { return false };
    let folder = format!("{path}/");
    path.is_empty() || sources.iter().any(|source| source.path == path || source.path.starts_with(&folder))
}

/// The path from the root that `target` means in the file `from`; none when it leaves the repository.
fn resolve(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    fn check_page(text: &str, expected: &[&str]) {
        let tree =
            [("docs/page.md", text), ("docs/other.md", ""), ("README.md", ""), ("crates/a/src/lib.rs", "")];
        assert_eq!(found(check, &tree), expected, "{text}");
    }

    #[test]
    fn dead_links_fire() {
        check_page("x\n[a](gone.md)", &["docs/page.md:2: the link to `gone.md` leads nowhere"]);
        check_page("[a](other.md) [b](../gone/)", &["docs/page.md:1: the link to `../gone/` leads nowhere"]);
        check_page(
            "[a](../../outside.md)",
            &["docs/page.md:1: the link to `../../outside.md` leads nowhere"],
        );
        check_page("`code` [a](gone.md#part)", &["docs/page.md:1: the link to `gone.md#part` leads nowhere"]);
        check_page("```\n```\n[a](gone.md)", &["docs/page.md:3: the link to `gone.md` leads nowhere"]);
    }

    #[test]
    fn living_links_and_code_do_not() {
        check_page("[a](other.md) [b](../README.md#top) [c](../crates/a) [d](..)", &[]);
        check_page("[a](https://example.invalid/x) [b](#part) [c](mailto:a@b) [d](other.md \"Title\")", &[]);
        check_page("`[a](gone.md)`\n```md\n[a](gone.md)\n```", &[]);
    }
}
