//! The declared properties of a resource after an apply.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use super::AppliedProperty;
use crate::json::ToJson;

/// The name of a property: that of a schema, or one that was read.
type PropertyName = Cow<'static, str>;

/// Properties by name. There are few, and each run makes those of all changed resources: a sorted list costs less than a map.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<String, AppliedProperty>")]
pub struct AppliedProperties(Vec<(PropertyName, AppliedProperty)>);

impl AppliedProperties {
    /// The property of this name.
    pub fn get(&self, name: &str) -> Option<&AppliedProperty> {
        self.at(name).ok().map(|at| &self.0[at].1)
    }

    /// Whether there is a property of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.at(name).is_ok()
    }

    /// The names and properties, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &AppliedProperty)> {
        self.0.iter().map(|(name, property)| (&**name, property))
    }

    /// Adds a property, unless there is one of this name.
    pub fn add_missing(&mut self, name: impl Into<PropertyName>, property: AppliedProperty) {
        let name = name.into();
        if let Err(at) = self.at(&name) {
            self.0.insert(at, (name, property));
        }
    }

    fn at(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(name))
    }
}

/// Of several properties of one name, the first counts.
impl<N: Into<PropertyName>> FromIterator<(N, AppliedProperty)> for AppliedProperties {
    fn from_iter<I: IntoIterator<Item = (N, AppliedProperty)>>(properties: I) -> Self {
        let mut all: Vec<_> = properties.into_iter().map(|(name, one)| (name.into(), one)).collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all.dedup_by(|(later, _), (first, _)| later == first);
        Self(all)
    }
}

impl From<BTreeMap<String, AppliedProperty>> for AppliedProperties {
    fn from(properties: BTreeMap<String, AppliedProperty>) -> Self {
        Self(properties.into_iter().map(|(name, property)| (name.into(), property)).collect())
    }
}

impl Serialize for AppliedProperties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl ToJson for AppliedProperties {
    fn add_to(&self, json: &mut String) {
        json.push('{');
        for (index, (name, property)) in self.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            name.add_to(json);
            json.push(':');
            property.add_to(json);
        }
        json.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::applied::{DeclaredDigest, Observed};

    fn property(value: &str) -> AppliedProperty {
        AppliedProperty { observed: Observed::of(value), declared: DeclaredDigest::of(value) }
    }

    #[test]
    fn properties_are_sorted_and_the_first_of_a_name_counts() {
        let all = [("mode", "0644"), ("content", "x"), ("mode", "0600")];
        let mut all: AppliedProperties =
            all.map(|(name, value)| (name, property(value))).into_iter().collect();
        all.add_missing("owner", property("root"));
        all.add_missing("content".to_owned(), property("y"));
        let texts: Vec<_> = all.iter().map(|(name, one)| (name, one.observed.text().unwrap())).collect();
        assert_eq!(texts, [("content", "x"), ("mode", "0644"), ("owner", "root")]);
        assert_eq!(all.get("mode"), Some(&property("0644")));
        assert!(all.contains("owner") && !all.contains("group"));
    }

    #[test]
    fn they_are_read_as_they_are_written() {
        let all: AppliedProperties = [("b", property("1")), ("a", property("\""))].into_iter().collect();
        let mut json = String::new();
        all.add_to(&mut json);
        assert_eq!(json, serde_json::to_string(&all).unwrap());
        assert_eq!(serde_json::from_str::<AppliedProperties>(&json).unwrap(), all);
    }
}
