//! The version of a package, declared or installed.

use std::cmp::Ordering;

use uphold_resource::{Context, Problem, Property, Type, Value};

use super::order::Order;

const FIX: &str = r#"use a full version such as "1.2-3", a prefix such as "1.2*", or "latest""#;

/// Words of other tools for an installed package, and for a removed one.
const INSTALLED: [&str; 2] = ["installed", "present"];
const NOT_NEEDED: &str = "remove `version`: a declared package is installed";
const REMOVED: [&str; 4] = ["absent", "purged", "removed", "uninstalled"];
const REMOVE: &str = "to remove the package, set `action = \"remove\"`";

/// A version: an exact one, a prefix, or the newest.
#[derive(Clone, Debug)]
pub struct Version {
    declared: Declared,
    /// The version that is available for it, if that was looked up.
    offer: Option<Offered>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Declared {
    Exact(String),
    Prefix(String),
    Latest,
}

#[derive(Clone, Debug)]
struct Offered {
    version: String,
    order: Order,
}

impl Version {
    /// Exactly this version.
    pub fn exact(version: impl Into<String>) -> Self {
        Self { declared: Declared::Exact(version.into()), offer: None }
    }

    /// The exact version, if one is declared.
    pub fn as_exact(&self) -> Option<&str> {
        match &self.declared {
            Declared::Exact(version) => Some(version),
            _ => None,
        }
    }

    pub(crate) fn is_latest(&self) -> bool {
        self.declared == Declared::Latest
    }

    /// Whether this version matches the declared one, by its text.
    pub(crate) fn admits(&self, version: &str) -> bool {
        match &self.declared {
            Declared::Exact(exact) => exact == version,
            Declared::Prefix(prefix) => version.starts_with(prefix.as_str()),
            Declared::Latest => true,
        }
    }

    /// Sets the available version.
    pub(crate) fn set_offer(&mut self, version: Option<String>, order: Order) {
        self.offer = version.map(|version| Offered { version, order });
    }

    /// The available version, unless the current one is newer or equal: the newest one is never a downgrade.
    fn offered_over(&self, current: Option<&Self>) -> Self {
        match (&self.offer, current) {
            (Some(offer), Some(current)) if current.is_older_than(offer) => Self::exact(&*offer.version),
            (_, Some(current)) => current.clone(),
            (Some(offer), None) => Self::exact(&*offer.version),
            (None, None) => self.clone(),
        }
    }

    fn is_older_than(&self, offer: &Offered) -> bool {
        self.as_exact().is_some_and(|version| (offer.order)(version, &offer.version) == Ordering::Less)
    }
}

impl Property for Version {
    const TYPE: &'static Type = &Type::Named {
        name: "version",
        doc: "a full version, a prefix that ends in `*`, or `latest`",
        example: r#""1.22.1-9""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let declared = match text.strip_suffix('*') {
            _ if text == "latest" => Declared::Latest,
            Some(prefix) if is_version(prefix) => Declared::Prefix(prefix.to_owned()),
            None if INSTALLED.contains(&&*text) => return Err(not_a_version(value, NOT_NEEDED)),
            None if REMOVED.contains(&&*text) => return Err(not_a_version(value, REMOVE)),
            None if is_version(&text) => Declared::Exact(text),
            _ => return Err(not_a_version(value, FIX)),
        };
        Ok(Self { declared, offer: None })
    }

    fn to_value(&self) -> Value {
        match &self.declared {
            Declared::Exact(version) => Value::text(version.as_str()),
            Declared::Prefix(prefix) => Value::text(format!("{prefix}*")),
            Declared::Latest => Value::text("latest"),
        }
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        let admitted = |current: &&Self| current.as_exact().is_some_and(|version| self.admits(version));
        match (&self.declared, current.filter(admitted), &self.offer) {
            (Declared::Exact(_), _, _) => self.clone(),
            (Declared::Latest, _, _) => self.offered_over(current),
            (Declared::Prefix(_), Some(current), _) => current.clone(),
            (Declared::Prefix(_), None, Some(offer)) => Self::exact(&*offer.version),
            (Declared::Prefix(_), None, None) => self.clone(),
        }
    }
}

/// The available version is not part of the value.
impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.declared == other.declared
    }
}

fn not_a_version(value: &Value, fix: &str) -> Problem {
    Problem::new(Some(value), "is not a version", fix)
}

/// Whether a package manager reads this as a single argument that is not an option.
fn is_version(text: &str) -> bool {
    let fine = |c: char| c.is_ascii_alphanumeric() || ".+-:~^_".contains(c);
    !text.is_empty() && !text.starts_with('-') && text.chars().all(fine)
}

#[cfg(test)]
mod tests {
    use super::super::order;
    use super::*;

    fn read(text: &str) -> Result<Version, Problem> {
        Version::from_value(&Value::text(text), &Context::NOTHING)
    }

    #[test]
    fn parses_versions() {
        for fine in ["1.2-3", "1:1.2~rc1+b1", "1.2*", "latest", "1.0^git1-1.el9"] {
            assert_eq!(read(fine).unwrap().to_value(), Value::text(fine));
        }
        for wrong in ["", "*", "-1", "1.2 3", "1.*.2", "1.2**", ">=1.2", "1.2\n", "present", "absent"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(Version::from_value(&Value::Float(1.2), &Context::NOTHING).is_err());
    }

    #[test]
    fn suggests_a_replacement_for_words_of_other_tools() {
        for (word, fix) in [("present", NOT_NEEDED), ("installed", NOT_NEEDED), ("absent", REMOVE)] {
            assert_eq!(read(word).unwrap_err().fix, fix, "{word}");
        }
    }

    /// The goal follows from the declared, available and installed versions.
    #[test]
    fn goal_of_a_version() {
        let check = |declared: &str, offer: Option<&str>, current: Option<&str>, goal: &str| {
            let mut version = read(declared).unwrap();
            version.set_offer(offer.map(str::to_owned), order::debian);
            let current = current.map(Version::exact);
            assert_eq!(
                version.settle(current.as_ref()).to_value(),
                Value::text(goal),
                "{declared} {offer:?}"
            );
        };
        check("1.0", Some("2.0"), Some("1.5"), "1.0");
        check("1.*", None, Some("1.5"), "1.5");
        check("1.*", Some("1.7"), Some("1.5"), "1.5");
        check("1.*", Some("1.7"), Some("2.0"), "1.7");
        check("1.*", None, Some("2.0"), "1.*");
        check("1.*", None, None, "1.*");
        check("latest", Some("1.10"), Some("1.2"), "1.10");
        check("latest", Some("1.2"), Some("1.10"), "1.10");
        check("latest", None, Some("1.2"), "1.2");
        check("latest", Some("1.2"), None, "1.2");
        check("latest", None, None, "latest");
    }
}
