//! Paths of the repository: its root, its files, and programs built by cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Result};
use crate::{disk, program};

/// The root of the repository: the folder above xtask's own.
pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// The program `name` that cargo built in a profile's folder (`debug`, `release`).
///
/// The target folder is that of this program, independent of the environment.
pub(crate) fn built(profile: &str, name: &str) -> Result<PathBuf> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::new(format!("cannot find the running program: {error}")))?;
    let target =
        own.ancestors().nth(2).ok_or_else(|| Failure::new("xtask does not run from a target folder"))?;
    Ok(target.join(profile).join(name))
}

/// One text file of the repository; `path` is relative to the root.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Integration tests, and unit tests in a file of their own.
    pub(crate) fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs") || self.path.ends_with("_tests.rs")
    }
}

/// Every file that is tracked, or new and not ignored by git.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let listing = program::output(
        Command::new("git").args(["ls-files", "-z", "-co", "--exclude-standard"]).current_dir(root()),
    )?;
    let mut paths: Vec<&str> = listing.split('\0').filter(|path| root().join(path).is_file()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
        .into_iter()
        .map(|path| Ok(Source { path: path.to_owned(), text: disk::read(&root().join(path))? }))
        .collect()
}

// The table of contents of the book: its lists of generated pages and of decisions follow the files.

/// The table of contents, from the root.
pub(crate) const CONTENTS: &str = "docs/SUMMARY.md";

/// A directory of pages below `docs`, and the end of the line that its list follows.
const LISTS: [(&str, &str); 3] = [
    ("reference/kinds/", "](reference/kinds/README.md)"),
    ("reference/functions/", "](reference/functions/README.md)"),
    ("decisions/", "[Decisions]()"),
];

/// The table of contents with up-to-date lists. The rest of it is written by hand.
pub(crate) fn updated(contents: &str, sources: &[Source]) -> String {
    let mut text = String::new();
    for line in contents.lines().filter(|line| !is_listed(line)) {
        text.push_str(&format!("{line}\n"));
        if let Some((directory, _)) = LISTS.iter().find(|(_, parent)| line.ends_with(parent)) {
            let indent = line.len() - line.trim_start().len() + 2;
            text.extend(pages(directory, sources).map(|page| format!("{:indent$}{page}\n", "")));
        }
    }
    text
}

/// Whether the line is an entry of one of the lists.
fn is_listed(line: &str) -> bool {
    let in_list = LISTS.iter().any(|(directory, _)| line.contains(&format!("]({directory}")));
    in_list && !line.ends_with("README.md)")
}

/// The entries for the pages of a directory: their headings, with links.
fn pages<'a>(directory: &'a str, sources: &'a [Source]) -> impl Iterator<Item = String> + 'a {
    sources.iter().filter_map(move |source| {
        let path = source.path.strip_prefix("docs/").filter(|path| path.starts_with(directory))?;
        let title = source.text.lines().find_map(|line| line.strip_prefix("# "))?;
        (!path.ends_with("README.md")).then(|| format!("- [{title}]({path})"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_follow_the_files() {
        let files = [("a", "<!-- x -->\n\n# 1. Links\n"), ("b", "# 2. Edits"), ("README", "# All")];
        let decisions = files
            .map(|(name, text)| Source { path: format!("docs/decisions/{name}.md"), text: text.to_owned() });
        let contents = "- [A](a.md)\n  - [Decisions]()\n    - [Old](decisions/old.md)\n- [B](b.md)\n";
        let expected = "- [A](a.md)\n  - [Decisions]()\n    - [1. Links](decisions/a.md)\n    \
                        - [2. Edits](decisions/b.md)\n- [B](b.md)\n";
        assert_eq!(updated(contents, &decisions), expected);
        assert_eq!(updated(expected, &decisions), expected);
    }
}
