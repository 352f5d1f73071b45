//! Where functions begin and end, by counting braces.

use std::ops::Range;

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
    use super::*;

    fn check(code: &str, expected: &[(&str, usize, usize)]) {
        let found = functions(code);
        let found: Vec<_> =
            found.iter().map(|function| (function.name.as_str(), function.line, function.lines)).collect();
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn finds_functions_and_their_length() {
        check("fn a() {}", &[("a", 1, 1)]);
        check("\nfn a(\n  x: u8,\n) -> [u8; 3] {\n  if x { y }\n}\n", &[("a", 2, 5)]);
        check("trait T {\n  fn a();\n  fn b() {\n  }\n}", &[("b", 3, 2)]);
        check("fn a() {\n  fn b() {\n  }\n}", &[("a", 1, 4), ("b", 2, 2)]);
        check("type F = fn (u8); let my_fn = 1;", &[]);
    }

    #[test]
    fn leaves_test_modules_out() {
        check("fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() {}\n}\nfn c() {}", &[("a", 1, 1), ("c", 6, 1)]);
    }
}
