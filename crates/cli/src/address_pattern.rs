//! Patterns of addresses, as `uphold pause` takes them.

use std::fmt;
use std::str::FromStr;

use uphold::model::{ResourceId, is_identifier};

use crate::address::{steps, steps_of};

/// Separates the names of an address, so that quotes and brackets do not matter. No name contains it.
const SEPARATOR: &str = "\u{1f}";

/// An address in which `*` stands for any characters and `?` for one. Like an address, it covers everything below it, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AddressPattern {
    names: Vec<String>,
}

impl FromStr for AddressPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = steps(text).filter(|names| names.first().is_some_and(|first| is_word(first)));
        let names =
            names.ok_or("write an address such as service.nginx, module.web or 'file[\"/etc/nginx/*\"]'")?;
        Ok(Self { names })
    }
}

/// As it is written in an expression.
impl fmt::Display for AddressPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, name) in self.names.iter().enumerate() {
            match (at, is_word(name)) {
                (0, _) => f.write_str(name)?,
                (_, true) => write!(f, ".{name}")?,
                (_, false) => write!(f, "[{name:?}]")?,
            }
        }
        Ok(())
    }
}

impl AddressPattern {
    /// Whether it covers a resource.
    pub(crate) fn covers(&self, id: &ResourceId) -> bool {
        self.covers_names(&steps_of(id))
    }

    /// Whether it covers the resource with this address.
    pub(crate) fn covers_address(&self, address: &str) -> bool {
        steps(address).is_some_and(|names| self.covers_names(&names))
    }

    /// Whether it covers all that another pattern covers, as far as their texts show that.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        self.covers_names(&other.names)
    }

    fn covers_names(&self, names: &[String]) -> bool {
        let (own, other) = (self.names.join(SEPARATOR), names.join(SEPARATOR));
        matches(&own, &other) || matches(&format!("{own}{SEPARATOR}*"), &other)
    }
}

/// Whether a name needs no quotes, apart from its wildcards.
fn is_word(name: &str) -> bool {
    is_identifier(&name.replace(['*', '?'], "x"))
}

/// Whether a pattern matches a whole text. Costs at most the product of their lengths.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut here, mut star) = (0, 0, None);
    while here < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(expected) if *expected == '?' || *expected == text[here] => {
                at += 1;
                here += 1;
            }
            _ => {
                let Some((after, from)) = star else { return false };
                star = Some((after, from + 1));
                (at, here) = (after + 1, from + 1);
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_resources_and_everything_below() {
        let check = |pattern: &str, id: &ResourceId, expected: bool| {
            let parsed: AddressPattern = pattern.parse().expect("a pattern");
            assert_eq!(parsed.covers(id), expected, "{pattern} {id}");
        };
        let file = ResourceId::new("file", "/etc/nginx/a.conf");
        for pattern in ["file[\"/etc/nginx/a.conf\"]", "file[/etc/nginx/a.conf]", "file[/etc/nginx/*]", "*"] {
            check(pattern, &file, true);
        }
        for pattern in ["*nginx*conf", "file", "file[/etc/nginx/?.conf]", "file.*", "f*"] {
            check(pattern, &file, true);
        }
        for pattern in ["file[/etc/nginx/a]", "file[/etc/nginx/]", "fil", "*.conf", "service.*"] {
            check(pattern, &file, false);
        }
        let user = ResourceId::new("user", "people").with_key(Some("ann".into()));
        for pattern in ["user.people", "user.people[ann]", "*.people", "user.*[\"ann\"]"] {
            check(pattern, &user, true);
        }
        for pattern in ["user.people[\"bob\"]", "user.peopl", "people"] {
            check(pattern, &user, false);
        }
    }

    #[test]
    fn shows_patterns_as_in_an_expression() {
        let check = |text: &str, expected: Option<&str>| {
            let shown = text.parse().ok().map(|pattern: AddressPattern| pattern.to_string());
            assert_eq!(shown.as_deref(), expected, "{text}");
        };
        check("service.nginx", Some("service.nginx"));
        check("file[/etc/nginx/*]", Some("file[\"/etc/nginx/*\"]"));
        check("service.*", Some("service.*"));
        check("*", Some("*"));
        for text in ["", "file[", "file..a", "/etc/motd", "file[\"a\"", ".a", "my file"] {
            check(text, None);
        }
    }

    #[test]
    fn a_pattern_includes_narrower_ones() {
        let check = |wide: &str, narrow: &str, expected: bool| {
            let parse = |text: &str| -> AddressPattern { text.parse().expect("a pattern") };
            assert_eq!(parse(wide).includes(&parse(narrow)), expected, "{wide} {narrow}");
        };
        check("file", "file[/etc/*]", true);
        check("file[/etc/*]", "file[/etc/nginx/*]", true);
        check("file[/etc/motd]", "file[\"/etc/motd\"]", true);
        check("file[/etc/nginx/a]", "file[/etc/*]", false);
        check("file[/etc/motd]", "file", false);
    }
}
