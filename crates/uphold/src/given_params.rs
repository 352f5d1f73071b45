//! Params from outside: the command line, the environment and params files.

use std::collections::{BTreeMap, BTreeSet};

use uphold_config::{Console, Given, GivenValue, Origin, outline};
use uphold_model::{Map, Sources, Value};
use uphold_wire::saved_plan::{Kept, Param};

use crate::saved_plan::Salt;

/// Params from outside, before anything is evaluated.
pub(crate) struct GivenParams {
    /// The params of the configuration, and whether they are sensitive.
    declared: BTreeMap<String, bool>,
    /// Undeclared params: a recipe accepts any.
    loose: Map,
}

impl GivenParams {
    /// Scans these texts for declarations.
    pub(crate) fn declared_in<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self { declared: sensitive_params(texts), loose: Map::new() }
    }

    /// Takes out undeclared params, which are for recipes. The first value of a param wins.
    pub(crate) fn take_loose(&mut self, given: Vec<Given>) -> Vec<Given> {
        let (declared, loose): (Vec<_>, Vec<_>) =
            given.into_iter().partition(|one| self.declaration(one).is_some());
        for one in loose {
            let name = match one.origin {
                Origin::Environment => one.name.to_lowercase(),
                _ => one.name,
            };
            let value = match one.value {
                GivenValue::Text(text) => read(&text),
                GivenValue::Value(value, _) => value,
            };
            if !self.loose.contains_key(&*name) {
                self.loose.insert(name.into(), value);
            }
        }
        declared
    }

    /// The effective params from the command line and the environment. Those of a recipe are not sensitive.
    pub(crate) fn by_hand(&self, given: &[Given], recipes: bool) -> Vec<GivenParam> {
        let mut strongest: BTreeMap<String, GivenParam> = BTreeMap::new();
        for one in given {
            let GivenValue::Text(text) = &one.value else { continue };
            let loose = || (one.name.clone(), false);
            let declared = self.declaration(one).map(|(name, secret)| (name.clone(), *secret));
            if let Some((name, sensitive)) = declared.or_else(|| recipes.then(loose)) {
                let param = GivenParam { name: name.clone(), text: text.clone(), sensitive };
                strongest.entry(name).or_insert(param);
            }
        }
        strongest.into_values().collect()
    }

    /// All values, for a recipe. A param without a value was already reported.
    pub(crate) fn values(&self, console: &Console, sources: &mut Sources) -> Map {
        let mut values = self.loose.clone();
        for name in self.declared.keys() {
            if let Ok(value) = console.evaluate(sources, &format!("param.{name}")) {
                values.insert(name.as_str().into(), value);
            }
        }
        values
    }

    fn declaration(&self, one: &Given) -> Option<(&String, &bool)> {
        self.declared.iter().find(|(name, _)| match one.origin {
            Origin::Environment => **name == one.name || variable_name(name) == one.name,
            _ => **name == one.name,
        })
    }
}

/// A text without a known type: a number or a bool if it looks like one.
fn read(text: &str) -> Value {
    match (text, text.parse::<i64>(), text.parse::<f64>()) {
        ("true", ..) => Value::Bool(true),
        ("false", ..) => Value::Bool(false),
        (_, Ok(whole), _) => Value::Int(whole),
        (_, _, Ok(number)) if number.is_finite() => Value::Float(number),
        _ => Value::text(text),
    }
}

/// A param from the command line or the environment.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct GivenParam {
    /// The param.
    pub name: String,
    /// The value as typed.
    pub text: String,
    /// Whether the configuration declares it as sensitive.
    pub sensitive: bool,
}

impl GivenParam {
    /// The saved form: of a secret, a digest.
    pub(crate) fn saved(&self, salt: &Salt) -> Param {
        let kept = if self.sensitive {
            Kept::Digest(salt.digest(&subject(&self.name), self.text.as_bytes()))
        } else {
            Kept::Value(self.text.clone())
        };
        Param { name: self.name.clone(), kept }
    }
}

/// The saved value, unless it is a secret.
pub(crate) fn text(param: &Param) -> Option<&str> {
    match &param.kept {
        Kept::Value(text) => Some(text),
        Kept::Digest(_) => None,
    }
}

/// Whether this is the saved value.
pub(crate) fn is(param: &Param, text: &str, salt: &Salt) -> bool {
    match &param.kept {
        Kept::Value(planned) => planned == text,
        Kept::Digest(digest) => *digest == salt.digest(&subject(&param.name), text.as_bytes()),
    }
}

fn subject(name: &str) -> String {
    format!("param {name}")
}

/// The params that these texts declare, and whether they are sensitive. An expression counts as sensitive.
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

/// The environment variable of a param, without its prefix.
pub(crate) fn variable_name(param: &str) -> String {
    param.to_uppercase().replace('-', "_")
}

/// The names as a list for messages.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: BTreeSet<&str> = names.into_iter().collect();
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, text: &str, origin: Origin) -> Given {
        Given { name: name.to_owned(), value: GivenValue::Text(text.to_owned()), origin }
    }

    #[test]
    fn undeclared_params_are_for_recipes() {
        let mut params = GivenParams::declared_in(["param \"port\" {}\nparam \"key\" { sensitive = true }"]);
        let all = vec![
            given("port", "80", Origin::Flag),
            given("size", "3", Origin::Flag),
            given("size", "4", Origin::File),
            given("KEY", "hidden", Origin::Environment),
            given("DEPTH", "1.5", Origin::Environment),
        ];
        let by_hand = params.by_hand(&all, true);
        let shown: Vec<_> = by_hand.iter().map(|one| (&*one.name, &*one.text, one.sensitive)).collect();
        assert_eq!(
            shown,
            [("DEPTH", "1.5", false), ("key", "hidden", true), ("port", "80", false), ("size", "3", false)]
        );
        assert_eq!(params.by_hand(&all, false).len(), 2);
        let declared: Vec<String> = params.take_loose(all).into_iter().map(|one| one.name).collect();
        assert_eq!(declared, ["port", "KEY"]);
        let loose: Vec<_> = params.loose.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(loose, ["depth=1.5", "size=3"]);
    }

    #[test]
    fn untyped_text_is_parsed() {
        let check = |text: &str, expected: Value| assert_eq!(read(text), expected, "{text}");
        check("80", Value::Int(80));
        check("-1", Value::Int(-1));
        check("1.5", Value::Float(1.5));
        check("true", Value::Bool(true));
        check("True", Value::text("True"));
        check("inf", Value::text("inf"));
        check("1.2.3", Value::text("1.2.3"));
        check("", Value::text(""));
    }
}

#[cfg(test)]
mod param_tests {
    use super::*;

    #[test]
    fn sensitive_params_are_found() {
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
    fn a_secret_is_saved_as_a_digest() {
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
