//! Patterns of paths: `*`, `?`, `[a-z]`, `{a,b}` and `**`.

use uphold_model::{Shape, Value};

use crate::bounds::{MOST_ELEMENTS, list};
use crate::call::{Call, Fault};
use crate::function::Accepts::Text;
use crate::function::{Body, Function, Topic, example, takes};
use crate::paths::readable;

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

// Files that match a pattern.

/// The maximum depth of directories, because loops of links must end.
const DEEPEST_DIRECTORY: usize = 64;

/// The maximum number of names; more suggests the wrong directory.
const MOST_NAMES: usize = MOST_ELEMENTS / 10;

pub(crate) static FUNCTIONS: &[Function] = &[Function {
    name: "fileset",
    topic: Topic::Files,
    parameters: &[takes("directory", Text), takes("pattern", Text)],
    rest: None,
    gives: Some(Shape::List),
    doc: "Returns the files below a directory that match a pattern, sorted, as paths relative to that \
          directory. `*` matches anything but a slash, `**` any number of directories, `?` one character, \
          `[a-z]` one of these characters, `{a,b}` one of these alternatives.",
    examples: &[
        example("fileset(\".\", \"*.txt\")", "[\"hello.txt\"]"),
        example("fileset(\"templates\", \"**\")", "[\"footer.j2\", \"motd.j2\"]"),
    ],
    body: Body::Whole(fileset),
}];

fn fileset(call: &Call<'_>) -> Result<Value, Fault> {
    let directory = call.text(0)?;
    let names = call.surroundings.list(&readable(call, directory));
    let names = names.map_err(|reason| {
        Fault::at(0, format!("cannot list {directory:?}: {reason}"))
            .with_fix("create it, or correct the path: a relative one begins at the directory of this file")
    })?;
    let glob = Glob::parse(call.text(1)?)?;
    let mut walk = Walk { call, glob, seen: 0, found: Vec::new(), path: Vec::new() };
    walk.visit(names)?;
    walk.found.sort_unstable();
    list(walk.found.into_iter().map(|path| Ok(Value::text(path))))
}

struct Walk<'a> {
    call: &'a Call<'a>,
    glob: Glob,
    seen: usize,
    found: Vec<String>,
    path: Vec<String>,
}

impl Walk<'_> {
    fn visit(&mut self, names: Vec<String>) -> Result<(), Fault> {
        self.seen += names.len();
        if self.seen > MOST_NAMES {
            return Err(Fault::at(0, format!("there are more than {MOST_NAMES} names below it")));
        }
        for name in names {
            match name.strip_suffix('/') {
                None => self.file(name),
                Some(directory) => self.directory(directory)?,
            }
        }
        Ok(())
    }

    fn file(&mut self, name: String) {
        self.path.push(name);
        if self.glob.matches(&self.path) {
            self.found.push(self.path.join("/"));
        }
        self.path.pop();
    }

    fn directory(&mut self, name: &str) -> Result<(), Fault> {
        if self.path.len() + 2 > self.glob.depth().unwrap_or(DEEPEST_DIRECTORY) {
            return Ok(());
        }
        self.path.push(name.to_owned());
        let path = readable(self.call, self.call.text(0)?).join(self.path.join("/"));
        let names = self.call.surroundings.list(&path);
        let names =
            names.map_err(|reason| Fault::at(0, format!("cannot list {}: {reason}", path.display())))?;
        self.visit(names)?;
        self.path.pop();
        Ok(())
    }
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
