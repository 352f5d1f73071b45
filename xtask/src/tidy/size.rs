//! Files and functions stay small enough to be read at once.

use std::ops::Range;

use super::finding::Finding;
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

/// A function with a body, in code whose comments and literals are blanked out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The line of `fn`, from 1.
    pub(crate) line: usize,
    /// The number of lines from `fn` to the closing brace, inclusive.
    pub(crate) lines: usize,
}

/// The functions in `code`, without those in `#[cfg(test)]` modules.
pub(crate) fn functions(code: &str) -> Vec<Function> {
    let tests = test_ranges(code);
    let lines = LineIndex::new(code);
    starts(code)
        .filter(|start| !tests.iter().any(|range| range.contains(start)))
        .filter_map(|start| {
            let line = lines.line(start);
            let end = body(code, start)?.end;
            Some(Function { name: name(&code[start..]), line, lines: lines.line(end) + 1 - line })
        })
        .collect()
}

/// The offsets of each `fn` that is followed by a name.
fn starts(code: &str) -> impl Iterator<Item = usize> {
    code.match_indices("fn ").map(|(at, _)| at).filter(|at| {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let bytes = code.as_bytes();
        (*at == 0 || !is_word(bytes[at - 1])) && bytes.get(at + 3).is_some_and(|byte| is_word(*byte))
    })
}

fn name(from_fn: &str) -> String {
    from_fn[3..].chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// The outermost braces after `start`, unless a semicolon outside of brackets comes first.
///
/// The range ends on the closing brace.
fn body(code: &str, start: usize) -> Option<Range<usize>> {
    let (mut brackets, mut braces, mut open) = (0_i32, 0_i32, start);
    for (at, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets -= 1,
            b';' if braces == 0 && brackets == 0 => return None,
            b'{' => {
                if braces == 0 {
                    open = at;
                }
                braces += 1;
            }
            b'}' => braces -= 1,
            _ => {}
        }
        if byte == b'}' && braces == 0 {
            return Some(open..at);
        }
    }
    None
}

fn test_ranges(code: &str) -> Vec<Range<usize>> {
    let attribute = "#[cfg(test)]";
    code.match_indices(attribute).filter_map(|(at, _)| body(code, at + attribute.len())).collect()
}

/// Byte offsets of line starts.
struct LineIndex(Vec<usize>);

impl LineIndex {
    fn new(code: &str) -> Self {
        Self(std::iter::once(0).chain(code.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The line of a byte, from 1.
    fn line(&self, at: usize) -> usize {
        self.0.partition_point(|start| *start <= at)
    }
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

    fn check_functions(code: &str, expected: &[(&str, usize, usize)]) {
        let found = functions(code);
        let found: Vec<_> =
            found.iter().map(|function| (function.name.as_str(), function.line, function.lines)).collect();
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn finds_functions_and_their_length() {
        check_functions("fn a() {}", &[("a", 1, 1)]);
        check_functions("\nfn a(\n  x: u8,\n) -> [u8; 3] {\n  if x { y }\n}\n", &[("a", 2, 5)]);
        check_functions("trait T {\n  fn a();\n  fn b() {\n  }\n}", &[("b", 3, 2)]);
        check_functions("fn a() {\n  fn b() {\n  }\n}", &[("a", 1, 4), ("b", 2, 2)]);
        check_functions("type F = fn (u8); let my_fn = 1;", &[]);
    }

    #[test]
    fn leaves_test_modules_out() {
        check_functions(
            "fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\nfn c() {}",
            &[("a", 1, 1), ("c", 6, 1)],
        );
    }
}
