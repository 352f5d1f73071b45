//! A version of a package, as it is asked for and as it is found.

use std::cmp::Ordering;

use uphold_resource::{Context, Problem, Property, Type, Value};

use super::order::Order;

const FIX: &str = r#"write a whole version such as "1.2-3", the begin of one such as "1.2*", or "latest""#;

/// A version: one to the letter, any that begins with something, or the newest.
#[derive(Clone, Debug)]
pub struct Version {
    asked: Asked,
    /// What this machine can get for it, if that was looked for.
    offer: Option<Offered>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    Exact(String),
    Begins(String),
    Latest,
}

#[derive(Clone, Debug)]
struct Offered {
    version: String,
    order: Order,
}

impl Version {
    /// This version, to the letter.
    pub fn exact(version: impl Into<String>) -> Self {
        Self { asked: Asked::Exact(version.into()), offer: None }
    }

    /// The whole version, if one is asked for.
    pub fn as_exact(&self) -> Option<&str> {
        match &self.asked {
            Asked::Exact(version) => Some(version),
            _ => None,
        }
    }

    pub(crate) fn is_latest(&self) -> bool {
        self.asked == Asked::Latest
    }

    /// Whether this version is one that was asked for, as far as its text tells.
    pub(crate) fn admits(&self, version: &str) -> bool {
        match &self.asked {
            Asked::Exact(exact) => exact == version,
            Asked::Begins(begin) => version.starts_with(begin.as_str()),
            Asked::Latest => true,
        }
    }

    /// Notes what this machine can get for it.
    pub(crate) fn set_offer(&mut self, version: Option<String>, order: Order) {
        self.offer = version.map(|version| Offered { version, order });
    }

    /// The offer is the goal unless what is there is good enough: a newer one than the newest that
    /// is offered is never taken back.
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
        doc: "a whole version, the begin of one before `*`, or `latest`",
        example: r#""1.22.1-9""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let asked = match text.strip_suffix('*') {
            _ if text == "latest" => Asked::Latest,
            Some(begin) if is_version(begin) => Asked::Begins(begin.to_owned()),
            None if is_version(&text) => Asked::Exact(text),
            _ => return Err(Problem::new(Some(value), "is not a version", FIX)),
        };
        Ok(Self { asked, offer: None })
    }

    fn to_value(&self) -> Value {
        match &self.asked {
            Asked::Exact(version) => Value::text(version.as_str()),
            Asked::Begins(begin) => Value::text(format!("{begin}*")),
            Asked::Latest => Value::text("latest"),
        }
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        let admitted = |current: &&Self| current.as_exact().is_some_and(|version| self.admits(version));
        match (&self.asked, current.filter(admitted), &self.offer) {
            (Asked::Exact(_), _, _) => self.clone(),
            (Asked::Latest, _, _) => self.offered_over(current),
            (Asked::Begins(_), Some(current), _) => current.clone(),
            (Asked::Begins(_), None, Some(offer)) => Self::exact(&*offer.version),
            (Asked::Begins(_), None, None) => self.clone(),
        }
    }
}

/// What is offered is no part of the value.
impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.asked == other.asked
    }
}

/// Never something that a package manager could take for an option or for two words.
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
    fn versions_as_users_write_them() {
        for fine in ["1.2-3", "1:1.2~rc1+b1", "1.2*", "latest", "1.0^git1-1.el9"] {
            assert_eq!(read(fine).unwrap().to_value(), Value::text(fine));
        }
        for wrong in ["", "*", "-1", "1.2 3", "1.*.2", "1.2**", ">=1.2", "1.2\n"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(Version::from_value(&Value::Float(1.2), &Context::NOTHING).is_err());
    }

    /// What is asked for, what is offered and what is there give the goal.
    #[test]
    fn goals() {
        let check = |asked: &str, offer: Option<&str>, current: Option<&str>, goal: &str| {
            let mut wish = read(asked).unwrap();
            wish.set_offer(offer.map(str::to_owned), order::debian);
            let current = current.map(Version::exact);
            assert_eq!(wish.settle(current.as_ref()).to_value(), Value::text(goal), "{asked} {offer:?}");
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
