//! Separates code, comments and literals of Rust text, so that a rule sees only its part; line numbers do not change.

/// The parts of Rust text that are written for people.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prose {
    Comments,
    CommentsAndStrings,
}

/// The text with a space for every character of comments, strings and character literals.
pub(crate) fn code_only(text: &str) -> String {
    keep(text, |part| part == Part::Code)
}

/// The text with a space for every character that is not prose.
pub(crate) fn prose(text: &str, prose: Prose) -> String {
    keep(text, |part| match part {
        Part::Code => false,
        Part::Comment => true,
        Part::Literal => prose == Prose::CommentsAndStrings,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Comment,
    Literal,
}

/// A minimal lexer, sufficient for formatted code that compiles.
fn keep(text: &str, keeps: impl Fn(Part) -> bool) -> String {
    let source: Vec<char> = text.chars().collect();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    while at < source.len() {
        let end = hidden_end(&source, at);
        let part = match source[at] {
            _ if end == at => Part::Code,
            '/' => Part::Comment,
            _ => Part::Literal,
        };
        let end = end.max(at + 1);
        kept.extend(source[at..end].iter().map(|c| if *c == '\n' || keeps(part) { *c } else { ' ' }));
        at = end;
    }
    kept
}

/// The end of the comment or literal that starts at `at`; `at` itself when none does.
fn hidden_end(source: &[char], at: usize) -> usize {
    match (source[at], source.get(at + 1)) {
        ('/', Some('/')) => find(source, at, |rest| rest[0] == '\n'),
        ('/', Some('*')) => block_comment_end(source, at),
        ('"', _) => string_end(source, at),
        ('\'', _) => character_end(source, at),
        ('r', Some('"' | '#')) => raw_string_end(source, at),
        _ => at,
    }
}

/// The first position from `at` on where the rest fits; the end of the text otherwise.
fn find(source: &[char], at: usize, fits: impl Fn(&[char]) -> bool) -> usize {
    (at..source.len()).find(|place| fits(&source[*place..])).unwrap_or(source.len())
}

fn block_comment_end(source: &[char], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while at < source.len() {
        match (source[at], source.get(at + 1)) {
            ('/', Some('*')) => {
                depth += 1;
                at += 2;
            }
            ('*', Some('/')) if depth == 1 => return at + 2,
            ('*', Some('/')) => {
                depth -= 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
    source.len()
}

fn string_end(source: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < source.len() && source[at] != '"' {
        at += if source[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(source.len())
}

/// A quote opens a literal if it is closed after one character or holds an escape; else it is a lifetime.
fn character_end(source: &[char], start: usize) -> usize {
    if source.get(start + 1) == Some(&'\\') {
        return (find(source, start + 3, |rest| rest[0] == '\'') + 1).min(source.len());
    }
    if source.get(start + 2) == Some(&'\'') { start + 3 } else { start }
}

fn raw_string_end(source: &[char], start: usize) -> usize {
    let hashes = source[start + 1..].iter().take_while(|character| **character == '#').count();
    let open = start + 1 + hashes;
    if source.get(open) != Some(&'"') {
        return start;
    }
    let closes = |rest: &[char]| {
        rest[0] == '"' && rest.len() > hashes && rest[1..=hashes].iter().all(|character| *character == '#')
    };
    (find(source, open + 1, closes) + 1 + hashes).min(source.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_comments_and_literals_only() {
        let table = [
            ("a // b", "a     "),
            ("a /* b /* c */ d */ e", "a                   e"),
            (r#"f("}", x)"#, "f(   , x)"),
            (r#"f("\"}", x)"#, "f(     , x)"),
            ("f('}', x)", "f(   , x)"),
            (r"f('\'', x)", "f(    , x)"),
            (r"f('\u{7d}', x)", "f(        , x)"),
            ("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)"),
            ("r#\"a\"}\"# }", "         }"),
            ("r\"\\\" }", "     }"),
            ("r#type }", "r#type }"),
            ("\"a\nb\" c", "  \n   c"),
            ("\"open", "     "),
        ];
        for (text, code) in table {
            assert_eq!(code_only(text), code, "{text}");
        }
    }

    #[test]
    fn keeps_prose_only() {
        let text = "f(\"a\", 'b') // c\ng";
        assert_eq!(prose(text, Prose::Comments), "            // c\n ");
        assert_eq!(prose(text, Prose::CommentsAndStrings), "  \"a\"  'b'  // c\n ");
    }
}
