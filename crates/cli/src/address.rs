//! Addresses of resources on the command line.

use std::collections::HashSet;
use std::fmt;
use std::iter::Peekable;
use std::str::{Chars, FromStr};

use uphold::Program;
use uphold::model::{ResourceId, closest};

use crate::CliError;

/// A prefix of resource ids: one resource, all instances of a block with `for_each`, or everything in a module.
///
/// It is written as in an expression. Quotes in brackets are optional, because a shell removes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    text: String,
    steps: Vec<String>,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let steps =
            steps(text).ok_or("write it as in an expression: service.nginx or 'file[\"/etc/motd\"]'")?;
        Ok(Self { text: text.to_owned(), steps })
    }
}

impl Address {
    /// Whether it covers this resource.
    pub(crate) fn covers(&self, id: &ResourceId) -> bool {
        steps_of(id).starts_with(&self.steps)
    }

    /// Whether it covers the resource with this printed id.
    pub(crate) fn covers_text(&self, id: &str) -> bool {
        steps(id).is_some_and(|steps| steps.starts_with(&self.steps))
    }

    /// Whether it covers everything that `other` covers.
    pub(crate) fn contains(&self, other: &Address) -> bool {
        other.steps.starts_with(&self.steps)
    }

    /// The address with all quotes, to be compared with the ids of resources.
    fn canonical(&self) -> String {
        let mut steps = self.steps.iter().map(String::as_str);
        let mut text = steps.next().unwrap_or_default().to_owned();
        for step in steps {
            let is_word = uphold::model::is_identifier(step);
            text += &if is_word { format!(".{step}") } else { format!("[{step:?}]") };
        }
        text
    }
}

/// The names in an address; none if it is malformed.
pub(crate) fn steps(text: &str) -> Option<Vec<String>> {
    let mut characters = text.chars().peekable();
    let mut steps = vec![word(&mut characters)?];
    while let Some(sign) = characters.next() {
        steps.push(match sign {
            '.' => word(&mut characters)?,
            '[' => index(&mut characters)?,
            _ => return None,
        });
    }
    Some(steps)
}

fn word(characters: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut word = String::new();
    while let Some(character) = characters.next_if(|next| !matches!(next, '.' | '[' | ']' | '"')) {
        word.push(character);
    }
    Some(word).filter(|word| !word.is_empty())
}

/// The text between brackets; without quotes, it ends at the next closing bracket.
fn index(characters: &mut Peekable<Chars<'_>>) -> Option<String> {
    let quoted = characters.next_if_eq(&'"').is_some();
    let end = if quoted { '"' } else { ']' };
    let mut index = String::new();
    loop {
        match characters.next()? {
            character if character == end => break,
            '\\' if quoted => index.push(escape(characters)?),
            character => index.push(character),
        }
    }
    (!quoted || characters.next() == Some(']')).then_some(index)
}

/// The character of an escape, as in the language and in printed ids.
fn escape(characters: &mut Peekable<Chars<'_>>) -> Option<char> {
    Some(match characters.next()? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        'u' => return code_point(characters),
        character => character,
    })
}

fn code_point(characters: &mut Peekable<Chars<'_>>) -> Option<char> {
    let digits: String = match characters.next_if_eq(&'{') {
        Some(_) => characters.by_ref().take_while(|next| *next != '}').collect(),
        None => characters.by_ref().take(4).collect(),
    };
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

/// The names in the id of a resource, from the outermost module on.
pub(crate) fn steps_of(id: &ResourceId) -> Vec<String> {
    let mut path = id.module().and_then(|module| steps(module)).unwrap_or_default();
    let own = [Some(&id.kind), Some(&id.name), id.key()];
    path.extend(own.into_iter().flatten().map(ToString::to_string));
    path
}

/// A set of addresses. A lookup costs time linear in the length of the resource's id.
pub(crate) struct Addresses<'a> {
    all: HashSet<&'a [String]>,
}

impl<'a> Addresses<'a> {
    /// The addresses given with a flag.
    ///
    /// # Errors
    /// If one of them covers nothing in the program; a similar one is suggested.
    pub(crate) fn new(given: &'a [Address], flag: &str, program: &Program) -> Result<Self, CliError> {
        let all: HashSet<&[String]> = given.iter().map(|address| address.steps.as_slice()).collect();
        let mut unused = all.clone();
        for (_, declared) in program.set().iter().take_while(|_| !given.is_empty()) {
            let steps = steps_of(&declared.declaration.id);
            (1..=steps.len()).for_each(|length| _ = unused.remove(&steps[..length]));
        }
        match given.iter().find(|address| unused.contains(address.steps.as_slice())) {
            Some(address) => Err(not_declared(address, flag, program)),
            None => Ok(Self { all }),
        }
    }

    /// Whether one of them covers this resource.
    pub(crate) fn cover(&self, id: &ResourceId) -> bool {
        let is_covered = |steps: &[String]| (1..=steps.len()).any(|end| self.all.contains(&steps[..end]));
        !self.all.is_empty() && is_covered(&steps_of(id))
    }
}

fn not_declared(address: &Address, flag: &str, program: &Program) -> CliError {
    let message = format!("{flag} {address}: no such resource or module is declared");
    let names = program.set().iter().flat_map(|(_, declared)| {
        let id = &declared.declaration.id;
        let block = id.key().map(|_| id.with_key(None).to_string());
        let module = id.module().map(ToString::to_string);
        block.into_iter().chain(module).chain([id.to_string()])
    });
    if let [.., "sequence" | "parallel", _] = address.steps.iter().map(String::as_str).collect::<Vec<_>>()[..]
    {
        return CliError::new(message).hint("groups cannot be selected: name the members, or their module");
    }
    unknown(address, message, &names.collect::<Vec<_>>(), "`uphold graph` shows all resources")
}

/// An error about an address that covers nothing, with the most similar of `names` as a suggestion.
pub(crate) fn unknown(address: &Address, message: String, names: &[String], otherwise: &str) -> CliError {
    let error = CliError::new(message);
    match closest(&address.canonical(), names.iter().map(String::as_str)) {
        Some(similar) => error.hint(format!("did you mean {similar}?")),
        None => error.hint(otherwise),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_addresses() {
        let check = |text: &str, expected: Option<&[&str]>| {
            let steps = steps(text);
            let steps: Option<Vec<&str>> =
                steps.as_ref().map(|steps| steps.iter().map(String::as_str).collect());
            assert_eq!(steps.as_deref(), expected, "{text}");
        };
        check("task.migrate", Some(&["task", "migrate"]));
        check("task[\"migrate\"]", Some(&["task", "migrate"]));
        check("file[\"/etc/a.b\"]", Some(&["file", "/etc/a.b"]));
        check("file[/etc/a.b]", Some(&["file", "/etc/a.b"]));
        check("user.people[\"ann\"]", Some(&["user", "people", "ann"]));
        check("module.web[\"a\"].file[\"/x\"]", Some(&["module", "web", "a", "file", "/x"]));
        check(r#"log["say \"hi\"\u{1b}\u001b"]"#, Some(&["log", "say \"hi\"\u{1b}\u{1b}"]));
        check("log[\"\"]", Some(&["log", ""]));
        check("file", Some(&["file"]));
        for wrong in
            ["", ".", "a.", ".a", "a[\"b", "a[b", "a[\"b\"", "a[\"b\"c]", "a]b", "a\"b", "a[\"\\u{zz}\"]"]
        {
            check(wrong, None);
        }
    }

    #[test]
    fn covers_ids_with_this_prefix() {
        let id = ResourceId::new("user", "people")
            .in_module(Some("module.web[\"a\"]".into()))
            .with_key(Some("ann".into()));
        let check = |text: &str, expected: bool| {
            let given: [Address; 1] = [text.parse().expect("an address")];
            let all = given.iter().map(|address| address.steps.as_slice()).collect();
            assert_eq!(Addresses { all }.cover(&id), expected, "{text}");
            assert_eq!(given[0].covers(&id), expected, "{text}");
        };
        check(&id.to_string(), true);
        check("module.web", true);
        check("module.web[\"a\"]", true);
        check("module.web[a].user.people", true);
        check("module.web[\"b\"]", false);
        check("module.we", false);
        check("user.people", false);
        check("module.web[\"a\"].user.people[\"ann\"].more", false);
    }
}
