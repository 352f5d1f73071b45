//! Files and functions stay small enough to be read at once.

use super::finding::Finding;
use super::function::functions;
use super::mask::code_only;
use crate::workspace::Source;

/// Twice the intended size; a larger file has more than one subject.
const FILE_LINES: usize = 400;
/// Tables of test cases may be longer than code.
const TEST_FILE_LINES: usize = 500;
/// Six times the intended size.
const FUNCTION_LINES: usize = 60;

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources
        .iter()
        .filter(|source| source.is_rust())
        .flat_map(|source| file(source).into_iter().chain(long_functions(source)))
        .collect()
}

fn file(source: &Source) -> Option<Finding> {
    let limit = if source.is_test() { TEST_FILE_LINES } else { FILE_LINES };
    let lines = source.text.lines().count();
    (lines > limit)
        .then(|| Finding::new(&source.path, 0, format!("{lines} lines, at most {limit}: split it by noun")))
}

fn long_functions(source: &Source) -> Vec<Finding> {
    if source.is_test() {
        return Vec::new();
    }
    functions(&code_only(&source.text))
        .into_iter()
        .filter(|function| function.lines > FUNCTION_LINES)
        .map(|function| {
            let message = format!(
                "function `{}` has {} lines, at most {FUNCTION_LINES}: name its parts",
                function.name, function.lines
            );
            Finding::new(&source.path, function.line, message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    fn check_tree(path: &str, text: &str, expected: &[&str]) {
        assert_eq!(found(check, &[(path, text)]), expected);
    }

    #[test]
    fn long_files_are_found() {
        check_tree("a/src/lib.rs", &"\n".repeat(400), &[]);
        check_tree(
            "a/src/lib.rs",
            &"\n".repeat(401),
            &["a/src/lib.rs: 401 lines, at most 400: split it by noun"],
        );
        check_tree("a/tests/x.rs", &"\n".repeat(500), &[]);
        check_tree(
            "a/tests/x.rs",
            &"\n".repeat(501),
            &["a/tests/x.rs: 501 lines, at most 500: split it by noun"],
        );
        check_tree("a/notes.md", &"\n".repeat(900), &[]);
    }

    #[test]
    fn long_functions_are_found() {
        let function = |lines: usize| format!("\nfn f() {{{}}}\n", "\n".repeat(lines - 1));
        check_tree("a/src/x.rs", &function(60), &[]);
        let message = "a/src/x.rs:2: function `f` has 61 lines, at most 60: name its parts";
        check_tree("a/src/x.rs", &function(61), &[message]);
        check_tree("a/tests/x.rs", &function(61), &[]);
    }
}
