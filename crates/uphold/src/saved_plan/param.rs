//! Params that were given by hand: on the command line or in the environment.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use uphold_config::outline;

use super::object::{Damaged, Fields, damaged};
use super::salt::Salt;

/// A value that somebody gave a param.
#[derive(Clone, PartialEq, Eq)]
pub struct GivenParam {
    /// The param.
    pub name: String,
    /// The value, as it was typed.
    pub text: String,
    /// Whether the configuration says that it is a secret.
    pub sensitive: bool,
}

/// The same in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedParam {
    pub(super) name: String,
    value: Kept,
}

/// What is kept of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    Text(String),
    Digest(String),
}

impl SavedParam {
    pub(super) fn of(given: &GivenParam, salt: &Salt) -> Self {
        let value = match given.sensitive {
            true => Kept::Digest(salt.digest(&subject(&given.name), given.text.as_bytes())),
            false => Kept::Text(given.text.clone()),
        };
        Self { name: given.name.clone(), value }
    }

    /// The value, unless it is a secret.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Kept::Text(text) => Some(text),
            Kept::Digest(_) => None,
        }
    }

    /// Whether this is the value that it had.
    pub(super) fn is(&self, text: &str, salt: &Salt) -> bool {
        match &self.value {
            Kept::Text(planned) => planned == text,
            Kept::Digest(digest) => *digest == salt.digest(&subject(&self.name), text.as_bytes()),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        match &self.value {
            Kept::Text(text) => json!({ "name": self.name, "value": text }),
            Kept::Digest(digest) => json!({ "name": self.name, "digest": digest }),
        }
    }

    pub(super) fn from_json(json: &Json) -> Result<Self, Damaged> {
        let fields = Fields::of(json)?;
        let value = match (fields.optional_text("value")?, fields.optional_text("digest")?) {
            (Some(text), None) => Kept::Text(text.to_owned()),
            (None, Some(digest)) => Kept::Digest(digest.to_owned()),
            _ => return Err(damaged("a param has no value")),
        };
        Ok(Self { name: fields.text("name")?.to_owned(), value })
    }
}

fn subject(name: &str) -> String {
    format!("param {name}")
}

/// The params that these texts declare, and whether they are secrets. What cannot be read counts as one.
pub(crate) fn sensitive_params<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeMap<String, bool> {
    let mut params = BTreeMap::new();
    for text in texts {
        let text = text.trim_start_matches('\u{feff}');
        for block in outline(text).blocks.iter().filter(|block| &*block.kind.text == "param") {
            let Some(label) = block.labels.first().filter(|_| block.parent.is_none()) else { continue };
            let written = block.attribute("sensitive").map(|one| text.get(one.value.clone()).unwrap_or(""));
            let sensitive = written.is_some_and(|written| written.trim() != "false");
            params.entry(label.text.to_string()).and_modify(|known| *known |= sensitive).or_insert(sensitive);
        }
    }
    params
}

/// How a param is called in the environment, without the prefix of all of them.
pub(crate) fn variable_name(param: &str) -> String {
    param.to_uppercase().replace('-', "_")
}

/// The names of these, for a message.
pub(super) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: BTreeSet<&str> = names.into_iter().collect();
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_what_the_configuration_calls_one() {
        let text = "\u{feff}param \"open\" {}\nparam \"closed\" {\n  sensitive = true\n}\n\
                    param \"plain\" { sensitive = false }\nparam \"odd\" { sensitive = !false }\n\
                    param \"broken\" { sensitive = }\nmodule \"m\" {\n  param \"inner\" { sensitive = true }\n}\n";
        let params = sensitive_params([text, "param \"closed\" {}\n"]);
        let secrets: Vec<&str> =
            params.iter().filter(|(_, sensitive)| **sensitive).map(|(name, _)| &**name).collect();
        assert_eq!(secrets, ["broken", "closed", "odd"]);
        assert!(params.contains_key("open") && !params.contains_key("inner"));
    }

    #[test]
    fn a_secret_is_kept_as_a_digest() {
        let salt = Salt::fresh();
        let given =
            |text: &str, sensitive| GivenParam { name: "p".to_owned(), text: text.to_owned(), sensitive };
        let secret = SavedParam::of(&given("hunter2", true), &salt);
        assert!(!secret.to_json().to_string().contains("hunter2"));
        let secret = SavedParam::from_json(&secret.to_json()).expect("a param");
        assert_eq!((secret.text(), secret.is("hunter2", &salt), secret.is("x", &salt)), (None, true, false));
        let open =
            SavedParam::from_json(&SavedParam::of(&given("a", false), &salt).to_json()).expect("a param");
        assert_eq!((open.text(), open.is("a", &salt)), (Some("a"), true));
    }
}
