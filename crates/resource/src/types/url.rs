//! Addresses on the network.

use fluent_uri::{Uri, UriRef};
use uphold_model::{Problem, Type, Value};

use super::{mismatch, refused};
use crate::property::{Base, Context, Property};

const FIX: &str = r#"write it whole, as in "https://example.org/path""#;

/// A URL with a scheme. A relative one is joined to the property named by `relative_to`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Url(Uri<String>);

impl Url {
    /// The URL as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The scheme, such as `https`.
    pub fn scheme(&self) -> &str {
        self.0.scheme().as_str()
    }

    /// The path, such as `/a/b`.
    pub fn path(&self) -> &str {
        self.0.path().as_str()
    }
}

impl Property for Url {
    const TYPE: &'static Type =
        &Type::Named { name: "url", doc: "a URL with a scheme", example: r#""https://example.org/""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let Value::Text(text) = value else { return Err(mismatch(value, "a URL", "put it in quotes")) };
        let parsed = UriRef::parse(text.to_string()).map_err(|_| refused(value, "is not a URL", FIX))?;
        if let Ok(whole) = Uri::try_from(parsed.clone()) {
            return Ok(Self(whole));
        }
        let base = context.base.and_then(|base| Uri::parse(base.to_owned()).ok());
        let base = base.ok_or_else(|| refused(value, "must be a whole URL", FIX))?;
        parsed.resolve_against(&base).map(Self).map_err(|_| refused(value, "is not a URL", FIX))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

impl Base for Url {
    fn base(&self) -> Option<&str> {
        Some(self.0.as_str())
    }
}
