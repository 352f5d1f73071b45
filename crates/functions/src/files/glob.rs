//! Patterns of paths: `*`, `?`, `[a-z]`, `{a,b}` and `**`.

use crate::call::Fault;

/// The maximum number of alternatives in braces.
const MOST_ALTERNATIVES: usize = 1000;

/// A pattern with its braces expanded.
#[derive(Debug)]
pub(super) struct Glob {
    alternatives: Vec<Vec<Part>>,
}

#[derive(Debug, PartialEq)]
enum Part {
    /// `**`: any number of directories.
    Any,
    Name(Vec<Token>),
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    One(char),
    AnyOne,
    AnyMany,
    /// Ranges, and whether they are negated.
    Class(Vec<(char, char)>, bool),
}

impl Glob {
    pub(super) fn parse(pattern: &str) -> Result<Self, Fault> {
        let mut alternatives = Vec::new();
        for text in expand(pattern)? {
            alternatives
                .push(text.split('/').filter(|part| !part.is_empty()).map(part).collect::<Result<_, _>>()?);
        }
        Ok(Self { alternatives })
    }

    /// Whether the whole path matches.
    pub(super) fn matches(&self, path: &[String]) -> bool {
        self.alternatives
            .iter()
            .any(|parts| wild(parts, path, |part| *part == Part::Any, |part, name| part.matches(name)))
    }

    /// The maximum depth of a match; none if it is unlimited.
    pub(super) fn depth(&self) -> Option<usize> {
        let depth = |parts: &Vec<Part>| (!parts.contains(&Part::Any)).then_some(parts.len());
        self.alternatives.iter().map(depth).try_fold(0, |most, depth| Some(most.max(depth?)))
    }
}

impl Part {
    fn matches(&self, name: &str) -> bool {
        match self {
            Part::Any => true,
            Part::Name(tokens) => {
                let characters: Vec<char> = name.chars().collect();
                wild(tokens, &characters, |token| *token == Token::AnyMany, Token::matches)
            }
        }
    }
}

impl Token {
    fn matches(&self, character: &char) -> bool {
        match self {
            Token::One(one) => one == character,
            Token::AnyOne | Token::AnyMany => true,
            Token::Class(ranges, negated) => {
                ranges.iter().any(|(low, high)| (low..=high).contains(&character)) != *negated
            }
        }
    }
}

/// Matches wildcards for any number of items in time pattern times items: only the last wildcard is retried.
fn wild<P, T>(pattern: &[P], items: &[T], is_wild: fn(&P) -> bool, matches: fn(&P, &T) -> bool) -> bool {
    let (mut p, mut i) = (0, 0);
    let mut retry = None;
    while i < items.len() {
        match pattern.get(p) {
            Some(part) if is_wild(part) => {
                retry = Some((p, i));
                p += 1;
            }
            Some(part) if matches(part, &items[i]) => (p, i) = (p + 1, i + 1),
            _ => {
                let Some((star, from)) = retry else { return false };
                retry = Some((star, from + 1));
                (p, i) = (star + 1, from + 1);
            }
        }
    }
    pattern[p..].iter().all(is_wild)
}

fn part(text: &str) -> Result<Part, Fault> {
    if text == "**" {
        return Ok(Part::Any);
    }
    let mut tokens = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        tokens.push(match character {
            '*' => Token::AnyMany,
            '?' => Token::AnyOne,
            '[' => class(&mut characters)?,
            '\\' => Token::One(characters.next().unwrap_or('\\')),
            other => Token::One(other),
        });
    }
    Ok(Part::Name(tokens))
}

fn class(characters: &mut std::str::Chars<'_>) -> Result<Token, Fault> {
    let unclosed = || Fault::at(1, "a `[` in the pattern is not closed");
    let (inside, rest) = characters.as_str().split_once(']').ok_or_else(unclosed)?;
    *characters = rest.chars();
    let (inside, negated) = match inside.strip_prefix(['!', '^']) {
        Some(inside) => (inside, true),
        None => (inside, false),
    };
    let inside: Vec<char> = inside.chars().collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(low) = inside.get(at) {
        let high = inside.get(at + 2).filter(|_| inside.get(at + 1) == Some(&'-'));
        ranges.push((*low, *high.unwrap_or(low)));
        at += if high.is_some() { 3 } else { 1 };
    }
    if ranges.is_empty() { Err(unclosed()) } else { Ok(Token::Class(ranges, negated)) }
}

/// All patterns that braces expand to. Nested braces are not supported.
fn expand(pattern: &str) -> Result<Vec<String>, Fault> {
    let mut expanded = vec![String::new()];
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, following) =
            after.split_once('}').ok_or_else(|| Fault::at(1, "a `{` in the pattern is not closed"))?;
        if inside.contains('{') {
            return Err(Fault::at(1, "nested braces are not supported"));
        }
        if expanded.len() * inside.split(',').count() > MOST_ALTERNATIVES {
            return Err(Fault::at(1, format!("the pattern has more than {MOST_ALTERNATIVES} alternatives")));
        }
        let with = |text: &String| {
            inside.split(',').map(move |choice| format!("{text}{before}{choice}")).collect::<Vec<_>>()
        };
        expanded = expanded.iter().flat_map(with).collect();
        rest = following;
    }
    Ok(expanded.into_iter().map(|text| text + rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_paths() {
        let check = |pattern: &str, path: &str, expected: bool| {
            let path: Vec<String> = path.split('/').map(str::to_owned).collect();
            assert_eq!(
                Glob::parse(pattern).is_ok_and(|glob| glob.matches(&path)),
                expected,
                "{pattern} {path:?}"
            );
        };
        check("*.txt", "a.txt", true);
        check("*.txt", "a/b.txt", false);
        check("**/*.txt", "a.txt", true);
        check("**/*.txt", "a/b/c.txt", true);
        check("a/**", "a/b/c", true);
        check("a/**/d", "a/b/c/d", true);
        check("a/**/d", "a/d", true);
        check("a/**/d", "b/d", false);
        check("**/x/**/y", "a/x/b/x/c/y", true);
        check("a?c", "abc", true);
        check("a?c", "ac", false);
        check("[a-c]x", "bx", true);
        check("[!a-c]x", "bx", false);
        check("{a,b}.{x,y}", "b.x", true);
        check("{a,b}.{x,y}", "c.x", false);
        check("a\\*", "a*", true);
        check("a*a*a*a*b", &"a".repeat(5000), false);
        check("[a", "a", false);
        check("{a", "a", false);
    }

    #[test]
    fn depth_is_known_where_it_is_bounded() {
        let check = |pattern: &str, depth| {
            assert_eq!(Glob::parse(pattern).ok().map(|glob| glob.depth()), Some(depth), "{pattern}");
        };
        check("*.txt", Some(1));
        check("{a,b/c}/*", Some(3));
        check("{a,**}/*", None);
        assert!(Glob::parse(&"{a,b}".repeat(20)).is_err());
    }
}
