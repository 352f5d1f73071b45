//! URLs.

use fluent_uri::{Uri, UriRef};
use uphold_model::{Problem, Type, Value};

use super::{mismatch, refused};
use crate::property::{Base, Context, Property};

const FIX: &str = r#"write the full URL, as in "https://example.org/path""#;

/// A URL with a scheme. A relative one is joined to the property in `relative_to`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Url(Uri<String>);

impl Url {
    /// The URL as a string.
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

    /// The host, with its port if the URL has one, such as `example.org:8080`; empty without a host.
    pub fn host(&self) -> &str {
        let authority = self.0.authority().map_or("", |authority| authority.as_str());
        authority.rsplit_once('@').map_or(authority, |(_, host)| host)
    }

    /// User and password, decoded: everything before the `@`.
    pub fn user_info(&self) -> Option<Vec<u8>> {
        let info = self.0.authority().and_then(|authority| authority.userinfo())?;
        Some(info.decode().to_bytes().into_owned())
    }

    /// The URL for messages: without user, password and query, each of which may be a secret.
    pub fn without_secrets(&self) -> String {
        match self.0.authority() {
            Some(_) => format!("{}://{}{}", self.scheme(), self.host(), self.path()),
            None => format!("{}:{}", self.scheme(), self.path()),
        }
    }

    /// Resolves `reference` against this URL, as for a redirection.
    pub fn join(&self, reference: &str) -> Option<Self> {
        let reference = UriRef::parse(reference.to_owned()).ok()?;
        reference.resolve_against(&self.0.strip_fragment()).ok().map(Self)
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
        let base = base.ok_or_else(|| refused(value, "must be a full URL", FIX))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::from_value(&Value::text(text), &Context::NOTHING).expect("a URL")
    }

    #[test]
    fn messages_show_no_secrets() {
        let check = |text: &str, expected: &str| assert_eq!(url(text).without_secrets(), expected);
        check("https://example.org/a?key=1#x", "https://example.org/a");
        check("https://ada:pass%40word@example.org:8080/a", "https://example.org:8080/a");
        check("mailto:ada@example.org", "mailto:ada@example.org");
    }

    #[test]
    fn splits_host_and_user() {
        let check = |text: &str, host: &str, info: Option<&str>| {
            let found = url(text).user_info().map(|info| String::from_utf8_lossy(&info).into_owned());
            assert_eq!((url(text).host(), found.as_deref()), (host, info), "{text}");
        };
        check("https://ada:pass%40word@[::1]:80/a", "[::1]:80", Some("ada:pass@word"));
        check("https://example.org", "example.org", None);
        check("file:///a", "", None);
    }

    #[test]
    fn resolves_redirections() {
        let check = |reference: &str, expected: Option<&str>| {
            let found = url("https://example.org/a/b?q#f").join(reference);
            assert_eq!(found.as_ref().map(Url::as_str), expected, "{reference}");
        };
        check("c", Some("https://example.org/a/c"));
        check("/c?x", Some("https://example.org/c?x"));
        check("//other.org/c", Some("https://other.org/c"));
        check("http://other.org", Some("http://other.org"));
        check("a b", None);
    }
}
