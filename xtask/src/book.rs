//! `cargo xtask book`: the pages of `docs` as a book, built by mdbook.

use std::process::Command;

use super::workspace::CONTENTS;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::program;
use crate::tidy::link;
use crate::workspace::{self, Source};

/// The input of mdbook: a copy of `docs` with adapted links.
const INPUT: &str = "book-source";

const MISSING: &str = "mdbook is not installed; run `cargo install mdbook --locked`, then try again";

pub(crate) fn run() -> Result {
    if !program::succeeds("mdbook", &["--version"]) {
        return Err(Failure::new(MISSING));
    }
    let sources = workspace::sources()?;
    let repository = repository(&sources)?;
    let input = workspace::built(INPUT, "")?;
    disk::remove_tree(&input)?;
    for source in sources.iter().filter(|source| source.path.starts_with("docs/")) {
        let path = input.join(source.path.trim_start_matches("docs/"));
        disk::write(&path, &adapted(source, &repository))?;
    }
    let output = workspace::built("book", "")?;
    program::run(Command::new("mdbook").arg("build").arg("--dest-dir").arg(&output).arg(&input))?;
    println!("{}", output.join("index.html").display());
    Ok(())
}

/// The address of the repository, as the manifest of the workspace names it.
fn repository(sources: &[Source]) -> Result<String> {
    let manifest = sources.iter().find(|source| source.path == "Cargo.toml");
    let lines = manifest.into_iter().flat_map(|manifest| manifest.text.lines());
    let mut addresses = lines.filter_map(|line| line.strip_prefix("repository = \"")?.strip_suffix('"'));
    addresses.next().map(str::to_owned).ok_or_else(|| Failure::new("Cargo.toml names no `repository`"))
}

/// The text of a page as mdbook needs it: links to files outside of `docs` lead to the repository, and links to a
/// `README.md` lead to the `index.html` that mdbook makes of it.
fn adapted(page: &Source, repository: &str) -> String {
    let mut text = page.text.clone();
    if !page.path.ends_with(".md") || page.path == CONTENTS {
        return text;
    }
    for (_, target) in link::links(&page.text).into_iter().filter(|(_, target)| link::is_relative(target)) {
        let Some(path) = link::resolve(&page.path, target) else { continue };
        let address = if path.starts_with("docs") {
            target.replace("README.md", "index.md")
        } else {
            format!("{repository}/blob/main/{path}")
        };
        text = text.replace(&format!("]({target})"), &format!("]({address})"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn links_are_adapted_to_the_book() {
        let text = "[c](../c.md#x) [d](../../crates/d.rs) [e](https://e) [f](#f) [g](../g/README.md#h)\n";
        let expected = "[c](../c.md#x) [d](https://r/blob/main/crates/d.rs) [e](https://e) [f](#f) \
                        [g](../g/index.md#h)\n";
        assert_eq!(adapted(&source("docs/a/b.md", text), "https://r"), expected);
        assert_eq!(adapted(&source(CONTENTS, "[g](g/README.md)"), "https://r"), "[g](g/README.md)");
    }

    #[test]
    fn the_repository_comes_from_the_manifest() {
        let manifest = source("Cargo.toml", "[workspace.package]\nrepository = \"https://r\"\n");
        assert_eq!(repository(&[manifest]).unwrap(), "https://r");
        assert!(repository(&[]).is_err());
    }
}
