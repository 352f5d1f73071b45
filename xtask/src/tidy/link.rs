//! Relative links in Markdown lead to an existing file, and heading.

use std::collections::BTreeMap;

use super::finding::Finding;
use crate::workspace::Source;

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.iter().filter(|source| source.path.ends_with(".md")) {
        for (line, target) in links(&source.text) {
            if is_relative(target) && !leads_somewhere(sources, source, target) {
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
pub(crate) fn links(text: &str) -> Vec<(usize, &str)> {
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

/// For each byte of the line, whether it is outside of code spans.
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

pub(crate) fn is_relative(target: &str) -> bool {
    !target.contains("://") && !target.starts_with("mailto:")
}

fn leads_somewhere(sources: &[Source], from: &Source, target: &str) -> bool {
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    if file.is_empty() {
        return has_heading(&from.text, fragment);
    }
    let Some(path) = resolve(&from.path, file) else { return false };
    let folder = format!("{path}/");
    match sources.iter().find(|source| source.path == path) {
        Some(page) => fragment.is_empty() || has_heading(&page.text, fragment),
        None => path.is_empty() || sources.iter().any(|source| source.path.starts_with(&folder)),
    }
}

/// Whether a heading of the page has this fragment, as GitHub and mdbook make it.
fn has_heading(text: &str, fragment: &str) -> bool {
    let (mut fenced, mut counts) = (false, BTreeMap::new());
    text.lines().any(|line| {
        fenced ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if fenced || title == line || !title.starts_with(' ') {
            return false;
        }
        let kept = title.trim().to_lowercase().replace(' ', "-");
        let slug: String = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        let count = counts.entry(slug.clone()).and_modify(|count| *count += 1).or_insert(0);
        if *count == 0 { slug == fragment } else { format!("{slug}-{count}") == fragment }
    })
}

/// The path from the root that `target` in the file `from` refers to; none if it is outside the repository.
pub(crate) fn resolve(from: &str, target: &str) -> Option<String> {
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
        let tree = [
            ("docs/page.md", text),
            ("docs/other.md", ""),
            ("README.md", "# Top\n## A `b`, c\n# Top\n"),
            ("crates/a/src/lib.rs", ""),
        ];
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
        check_page("[a](#part)\n```\n# Part\n```", &["docs/page.md:1: the link to `#part` leads nowhere"]);
        check_page(
            "[a](../README.md#tpo)",
            &["docs/page.md:1: the link to `../README.md#tpo` leads nowhere"],
        );
        check_page("```\n```\n[a](gone.md)", &["docs/page.md:3: the link to `gone.md` leads nowhere"]);
    }

    #[test]
    fn valid_links_and_code_do_not_fire() {
        check_page("[a](other.md) [b](../README.md#top) [c](../crates/a) [d](..)", &[]);
        check_page("[a](https://example.invalid/x) [c](mailto:a@b) [d](other.md \"Title\")", &[]);
        check_page("[a](#part) [b](../README.md#top-1) [c](../README.md#a-b-c)\n## Part", &[]);
        check_page("`[a](gone.md)`\n```md\n[a](gone.md)\n```", &[]);
    }
}
