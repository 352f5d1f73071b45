//! Addresses of resources, as they are given on the command line.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::iter::Peekable;
use std::str::{Chars, FromStr};

use uphold::Program;
use uphold::model::{ResourceId, closest};

use crate::error::CliError;

/// One resource, all resources of a block with `for_each`, or everything in a module: whatever begins with it.
///
/// It is written as in an expression. Quotes may be missing in brackets, because a shell takes them away.
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
    /// Whether it stands for this resource.
    pub(crate) fn covers(&self, id: &ResourceId) -> bool {
        steps_of(id).starts_with(&self.steps)
    }

    /// As it would be printed: a missing quote is no reason to miss a neighbour.
    pub(crate) fn canonical(&self) -> String {
        let mut steps = self.steps.iter().map(String::as_str);
        let mut text = steps.next().unwrap_or_default().to_owned();
        for step in steps {
            match uphold::model::is_identifier(step) {
                true => text += &format!(".{step}"),
                false => text += &format!("[{step:?}]"),
            }
        }
        text
    }
}

/// The names that an address consists of; none if it is not one.
fn steps(text: &str) -> Option<Vec<String>> {
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

/// What is between brackets. Without quotes, all up to the next closing one.
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

/// What stands behind a backslash, in the language or as an id is printed.
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

/// The names that lead to a resource, from the outermost module on.
fn steps_of(id: &ResourceId) -> Vec<String> {
    let mut path = id.module().and_then(|module| steps(module)).unwrap_or_default();
    let own = [Some(&id.kind), Some(&id.name), id.key()];
    path.extend(own.into_iter().flatten().map(ToString::to_string));
    path
}

/// Addresses to be found again: to look one resource up costs as much as its own address is long.
pub(crate) struct Addresses<'a> {
    known: HashMap<&'a [String], Cell<bool>>,
}

impl<'a> Addresses<'a> {
    /// Those that a flag gave.
    ///
    /// # Errors
    /// If one of them names nothing in the program; a similar one is suggested.
    pub(crate) fn new(given: &'a [Address], flag: &str, program: &Program) -> Result<Self, CliError> {
        let known = given.iter().map(|address| (address.steps.as_slice(), Cell::new(false))).collect();
        let addresses = Self { known };
        for (_, declared) in program.set().iter() {
            addresses.contain(&declared.declaration.id);
        }
        match given.iter().find(|address| !addresses.is_used(address)) {
            Some(unknown) => Err(nothing(unknown, flag, program)),
            None => Ok(addresses),
        }
    }

    /// Whether one of them stands for this resource.
    pub(crate) fn contain(&self, id: &ResourceId) -> bool {
        if self.known.is_empty() {
            return false;
        }
        let path = steps_of(id);
        let mut found = false;
        for length in 1..=path.len() {
            if let Some(used) = self.known.get(&path[..length]) {
                used.set(true);
                found = true;
            }
        }
        found
    }

    fn is_used(&self, address: &Address) -> bool {
        self.known[address.steps.as_slice()].get()
    }
}

fn nothing(address: &Address, flag: &str, program: &Program) -> CliError {
    let error = CliError::new(format!("{flag} {address}: there is no such resource or module"));
    let ids: Vec<ResourceId> =
        program.set().iter().map(|(_, declared)| declared.declaration.id.clone()).collect();
    let all = ids.iter().flat_map(|id| {
        let block = id.key().map(|_| id.with_key(None).to_string());
        let module = id.module().map(ToString::to_string);
        block.into_iter().chain(module).chain([id.to_string()])
    });
    let all: Vec<String> = all.collect();
    match closest(&address.canonical(), all.iter().map(String::as_str)) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint("`uphold graph` shows all of them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_list_of_names() {
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
    fn an_id_is_found_by_each_beginning_of_its_address() {
        let id = ResourceId::new("user", "people")
            .in_module(Some("module.web[\"a\"]".into()))
            .with_key(Some("ann".into()));
        let check = |text: &str, expected: bool| {
            let given: [Address; 1] = [text.parse().expect("an address")];
            let known = given.iter().map(|address| (address.steps.as_slice(), Cell::new(false)));
            assert_eq!(Addresses { known: known.collect() }.contain(&id), expected, "{text}");
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
