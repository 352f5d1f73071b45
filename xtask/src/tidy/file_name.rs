//! A file is a noun whose name says its purpose.

use super::finding::Finding;
use crate::workspace::Source;

/// Names that do not restrict the contents of the file.
const VAGUE: &[&str] = &["common", "helper", "helpers", "manager", "misc", "util", "utils"];

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources
        .iter()
        .filter(|source| source.is_rust())
        .filter_map(|source| {
            let vague = source.path.trim_end_matches(".rs").split('/').find(|part| VAGUE.contains(part))?;
            let message = format!("`{vague}` is too vague: name the file after its contents");
            Some(Finding::new(&source.path, 0, message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn vague_names_fire_as_file_and_as_folder() {
        for name in VAGUE {
            let (file, folder) = (format!("a/src/{name}.rs"), format!("a/{name}/mod.rs"));
            assert_eq!(found(check, &[(&file, ""), (&folder, "")]).len(), 2, "{name}");
        }
    }

    #[test]
    fn nouns_and_other_files_do_not() {
        assert_eq!(
            found(check, &[("a/src/place.rs", ""), ("a/src/user_manager.rs", ""), ("utils.md", "")]),
            [""; 0]
        );
    }
}
