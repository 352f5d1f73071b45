//! Params that were given by hand: on the command line or in the environment.

use std::collections::{BTreeMap, BTreeSet};

use uphold_config::outline;
use uphold_wire::saved_plan::{Kept, Param};

use super::salt::Salt;

/// A value that somebody gave a param.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct GivenParam {
    /// The param.
    pub name: String,
    /// The value, as it was typed.
    pub text: String,
    /// Whether the configuration says that it is a secret.
    pub sensitive: bool,
}

impl GivenParam {
    /// The same in a file: of a secret there is a digest.
    pub(super) fn saved(&self, salt: &Salt) -> Param {
        let kept = match self.sensitive {
            true => Kept::Digest(salt.digest(&subject(&self.name), self.text.as_bytes())),
            false => Kept::Value(self.text.clone()),
        };
        Param { name: self.name.clone(), kept }
    }
}

/// The value, unless it is a secret.
pub(super) fn text(param: &Param) -> Option<&str> {
    match &param.kept {
        Kept::Value(text) => Some(text),
        Kept::Digest(_) => None,
    }
}

/// Whether this is the value that it had.
pub(super) fn is(param: &Param, text: &str, salt: &Salt) -> bool {
    match &param.kept {
        Kept::Value(planned) => planned == text,
        Kept::Digest(digest) => *digest == salt.digest(&subject(&param.name), text.as_bytes()),
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
        let secret = given("hunter2", true).saved(&salt);
        assert!(!format!("{secret:?}").contains("hunter2"));
        assert_eq!(
            (text(&secret), is(&secret, "hunter2", &salt), is(&secret, "x", &salt)),
            (None, true, false)
        );
        let open = given("a", false).saved(&salt);
        assert_eq!((text(&open), is(&open, "a", &salt)), (Some("a"), true));
    }
}
