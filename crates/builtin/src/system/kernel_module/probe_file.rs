//! Files of `modprobe.d`: parameters and blacklists.

use std::collections::BTreeMap;
use std::fmt;

use uphold_kit::document::Document;
use uphold_resource::{Context, Parsed, Problem, Property, Result, Type, Value};

use crate::system::KernelValue;

/// Parameters by name.
pub(super) type Parameters = BTreeMap<String, KernelValue>;

/// The known directives of a file.
pub(super) struct ProbeFile(Vec<Directive>);

#[derive(Debug, PartialEq, Eq)]
enum Directive {
    Blacklist(ModuleName),
    Options(ModuleName, Parameters),
}

impl Parsed for ProbeFile {
    /// Other directives are skipped.
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self(content.split(|byte| *byte == b'\n').filter_map(Directive::parse).collect()))
    }
}

impl ProbeFile {
    pub(super) fn is_blacklisted(&self, module: &ModuleName) -> bool {
        self.0.iter().any(|directive| matches!(directive, Directive::Blacklist(found) if found == module))
    }

    /// All parameters of a module; of one that is set twice, the last counts.
    pub(super) fn parameters(&self, module: &ModuleName) -> Parameters {
        let mut all = Parameters::new();
        for directive in &self.0 {
            match directive {
                Directive::Options(found, parameters) if found == module => all.extend(parameters.clone()),
                _ => {}
            }
        }
        all
    }
}

impl Directive {
    fn parse(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line).into_owned();
        let mut words = text.split_whitespace();
        let (word, module) = (words.next()?, ModuleName::parse(words.next()?)?);
        match word {
            "blacklist" => Some(Self::Blacklist(module)),
            "options" => Some(Self::Options(module, words.map(parameter).collect())),
            _ => None,
        }
    }

    fn is_blacklist_of(line: &[u8], module: &ModuleName) -> bool {
        matches!(Self::parse(line), Some(Self::Blacklist(found)) if found == *module)
    }

    fn is_options_of(line: &[u8], module: &ModuleName) -> bool {
        matches!(Self::parse(line), Some(Self::Options(found, _)) if found == *module)
    }
}

/// Parses `debug=1`; a parameter without a value is enabled.
fn parameter(word: &str) -> (String, KernelValue) {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    (name.to_owned(), KernelValue::new(value))
}

/// Adds or removes the blacklist entry of a module.
pub(super) fn blacklist(file: &mut Document<'_>, module: &ModuleName, is_blacklisted: bool) {
    let is_ours = |line: &[u8]| Directive::is_blacklist_of(line, module);
    if is_blacklisted {
        file.put(format!("blacklist {module}"), is_ours);
    } else {
        file.retain(|line| !is_ours(line));
    }
}

/// Sets exactly these parameters of a module.
pub(super) fn set_parameters(file: &mut Document<'_>, module: &ModuleName, parameters: &Parameters) {
    if parameters.is_empty() {
        return file.retain(|line| !Directive::is_options_of(line, module));
    }
    let mut line = format!("options {module}");
    for (name, value) in parameters {
        let value = value.as_str();
        let equals = if value.is_empty() { "" } else { "=" };
        line.push_str(&format!(" {name}{equals}{value}"));
    }
    file.put(line, |line| Directive::is_options_of(line, module));
}

// Names of kernel modules.

/// The name of a kernel module. The kernel does not distinguish `-` and `_`; here it is `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleName(String);

impl ModuleName {
    /// Parses a name; none if it is not valid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        (!text.is_empty() && !text.starts_with('-') && text.chars().all(is_part))
            .then(|| Self(text.replace('-', "_")))
    }
}

impl fmt::Display for ModuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for ModuleName {
    const TYPE: &'static Type = &Type::Named {
        name: "kernel module",
        doc: "the name of a kernel module",
        example: r#""br_netfilter""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let fix = "use its name, without directory and `.ko`";
        Self::parse(&text).ok_or_else(|| Problem::new(Some(value), "is not the name of a kernel module", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loop_() -> ModuleName {
        ModuleName::parse("loop").expect("a name")
    }

    fn parameters(text: &str) -> Parameters {
        text.split_whitespace().map(parameter).collect()
    }

    #[test]
    fn parses_a_file() {
        let check = |text: &str, blacklisted: bool, set: &str| {
            let file = ProbeFile::parse(text.as_bytes()).expect("it parses");
            assert_eq!(file.is_blacklisted(&loop_()), blacklisted, "{text}");
            assert_eq!(file.parameters(&loop_()), parameters(set), "{text}");
        };
        check("", false, "");
        check("blacklist loop\n# x\ninstall loop /bin/false\n", true, "");
        check("options loop max_loop=8 debug\noptions loop max_loop=9\n", false, "max_loop=9 debug");
        check("#blacklist loop\noptions other a=1\nblacklist loops", false, "");
    }

    #[test]
    fn edits_a_file() {
        let check = |before: &str, blacklisted: bool, set: &str, after: &str| {
            let mut file = Document::new(before.as_bytes());
            blacklist(&mut file, &loop_(), blacklisted);
            set_parameters(&mut file, &loop_(), &parameters(set));
            assert_eq!(String::from_utf8_lossy(&file.content()), after);
        };
        check("", true, "a=1 b", "blacklist loop\noptions loop a=1 b\n");
        check(
            "# x\noptions loop c=1\nblacklist loop\n",
            true,
            "a=1",
            "# x\noptions loop a=1\nblacklist loop\n",
        );
        check("options other a=1\noptions loop c=1\nblacklist loop\n", false, "", "options other a=1\n");
    }
}

#[cfg(test)]
mod name_tests {
    use super::*;

    #[test]
    fn dashes_are_underscores() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(ModuleName::parse(text).map(|name| name.0).as_deref(), expected, "{text}");
        };
        check("br-netfilter", Some("br_netfilter"));
        check("8021q", Some("8021q"));
        for wrong in ["", "-r", "a.ko", "a/b", "a b"] {
            check(wrong, None);
        }
    }
}
