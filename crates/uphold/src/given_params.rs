//! Params that come from outside: which are the configuration's, and which are a recipe's.

use std::collections::BTreeMap;

use uphold_config::{Console, Given, GivenValue, Origin};
use uphold_model::{Map, Sources, Value};

use crate::saved_plan::{GivenParam, sensitive_params, variable_name};

/// What is known of params before anything is evaluated.
pub(crate) struct GivenParams {
    /// Those that the configuration declares, and whether they are secrets.
    declared: BTreeMap<String, bool>,
    /// Those that nobody declares: a recipe takes what it is given.
    loose: Map,
}

impl GivenParams {
    /// Finds out what is declared in these texts. Costs a scan of them.
    pub(crate) fn declared_in<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self { declared: sensitive_params(texts), loose: Map::new() }
    }

    /// Takes out what nobody declares: it is for recipes. Of several for one param the first counts.
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

    /// What was given by hand and counts: of several for one param, the first. A recipe has no secrets among its own.
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

    /// All values, for a recipe. What has none was told already.
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

/// A text of which no type is known: a number or a bool if it is written like one.
fn read(text: &str) -> Value {
    match (text, text.parse::<i64>(), text.parse::<f64>()) {
        ("true", ..) => Value::Bool(true),
        ("false", ..) => Value::Bool(false),
        (_, Ok(whole), _) => Value::Int(whole),
        (_, _, Ok(number)) if number.is_finite() => Value::Float(number),
        _ => Value::text(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, text: &str, origin: Origin) -> Given {
        Given { name: name.to_owned(), value: GivenValue::Text(text.to_owned()), origin }
    }

    #[test]
    fn what_nobody_declares_is_for_recipes() {
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
    fn a_text_is_read_as_it_is_written() {
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
