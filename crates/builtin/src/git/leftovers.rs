//! Distinguishes files that an interrupted git left from files that a user changed.

use std::collections::BTreeMap;
use std::path::Path;

use uphold_resource::{Act, Result};

use super::commit::Commit;
use super::tool::Tool;

/// A separate index for the comparison, so that the checkout's own index does not change.
const INDEX: &str = ".git/uphold-index";

/// The comparison of a file with a commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    /// Equal or missing: no change would be lost.
    Unchanged,
    Differs,
}

/// Files that a user changed: they differ from all `commits` that contain them, and are not a partly written file
/// of git.
pub(crate) fn changed_by_others(
    path: &Path,
    commits: &[Commit],
    tool: &Tool<'_>,
    host: &Act<'_>,
) -> Result<Vec<String>> {
    let index = path.join(INDEX);
    let comparing = tool.with_index(&index);
    let compared: Result<Vec<_>> =
        commits.iter().map(|commit| compare(commit, &comparing, host).map(|files| (commit, files))).collect();
    if host.files().look(&index)?.is_some() {
        host.edits().remove_file(&index)?;
    }
    let compared = compared?;
    let mut names: Vec<&String> = compared.iter().flat_map(|(_, files)| files.keys()).collect();
    names.sort();
    names.dedup();
    let mut changed = Vec::new();
    for name in names {
        let mut differing = compared.iter().filter_map(|(commit, files)| Some((*commit, *files.get(name)?)));
        let all_differ = differing.clone().all(|(_, found)| found == Match::Differs);
        if all_differ && !differing.any(|(commit, _)| is_prefix(&path.join(name), commit, name, tool, host)) {
            changed.push(name.clone());
        }
    }
    Ok(changed)
}

/// The files of a commit, compared with those in the checkout.
fn compare(commit: &Commit, tool: &Tool<'_>, host: &Act<'_>) -> Result<BTreeMap<String, Match>> {
    tool.run(&["read-tree", commit.as_str()], host)?;
    // Fails if files differ, which the next command lists.
    tool.try_run(&["update-index", "-q", "--refresh"], host)?;
    let all = tool.look(&["ls-files", "-z"], host)?;
    let mut files: BTreeMap<_, _> =
        all.split_terminator('\0').map(|name| (name.to_owned(), Match::Unchanged)).collect();
    let args = ["diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules", "--diff-filter=d"];
    for name in tool.look(&args, host)?.split_terminator('\0') {
        files.insert(name.to_owned(), Match::Differs);
    }
    Ok(files)
}

/// Whether a file is a prefix of the commit's version.
fn is_prefix(file: &Path, commit: &Commit, name: &str, tool: &Tool<'_>, host: &Act<'_>) -> bool {
    let blob = format!("{commit}:{name}");
    let (Ok(found), Ok(whole)) =
        (host.files().read(file, 0), tool.look_at_bytes(&["cat-file", "--filters", &blob], host))
    else {
        return false;
    };
    whole.starts_with(&found)
}
