//! How a server is spoken to: settings that all kinds have in common that ask one.

use std::collections::BTreeMap;
use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Error, ErrorKind, Property, Reading, Request, Response, Result, Url, Value,
};

/// What is said besides the question, and whom to believe.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Connection {
    /// Headers to send. A secret is passed on, and shown nowhere; another host, to which the server
    /// leads, is not told of them.
    #[default(BTreeMap::new())]
    #[check(are_headers, "must have names and values that a header can have")]
    pub headers: BTreeMap<String, String>,
    /// A file with the certificates to trust, in PEM, instead of those that the machine trusts.
    #[also("ca_path", "cacert", "ca_file")]
    pub ca: Option<AbsolutePath>,
    /// How long the server may be silent. How long all of it may take is for the meta argument `timeout`.
    #[also("idle_timeout", "http_timeout")]
    #[default("30s")]
    pub patience: Duration,
}

/// Whether all of them can be sent, and none begins another line.
fn are_headers(value: &Value) -> bool {
    let name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let text = |value: &Value| matches!(value, Value::Text(text) if !text.contains(['\r', '\n', '\0']));
    matches!(value, Value::Map(map) if map.iter().all(|(key, value)| name(key) && text(value)))
}

/// Whether a URL is one that can be asked for.
pub(crate) fn is_web(value: &Value) -> bool {
    let text = |value: &Value| matches!(value, Value::Text(text) if text.starts_with("http://") || text.starts_with("https://"));
    match value {
        Value::List(list) => list.iter().all(text),
        value => text(value),
    }
}

impl Connection {
    /// A request for `url`, with all that is said in every one.
    ///
    /// # Errors
    /// If the certificates cannot be read.
    pub(crate) fn request(&self, method: &str, url: &Url, host: &Reading<'_>) -> Result<Request> {
        let trust = self.ca.as_ref().map(|ca| host.files().read(ca, 0)).transpose()?;
        let headers = self.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(Request { headers, trust, patience: self.patience, ..Request::new(method, url.clone()) })
    }
}

/// The server gave another answer than was asked for.
pub(crate) fn unexpected(url: &Url, response: &Response) -> Error {
    let (status, words) = (response.status, words(response.status));
    let what = format!("{} answered {status}{words}", url.without_secrets());
    let error = Error::new(ErrorKind::Rejected, what);
    match status {
        401 | 403 => error.hint("the server wants to know who asks: see `headers`"),
        404 | 410 => error.hint("correct the URL: there is nothing"),
        _ => error,
    }
}

/// What people call a status.
fn words(status: u16) -> &'static str {
    match status {
        301 | 302 | 303 | 307 | 308 => " (elsewhere)",
        400 => " (bad request)",
        401 => " (unauthorized)",
        403 => " (forbidden)",
        404 => " (not found)",
        405 => " (method not allowed)",
        409 => " (conflict)",
        410 => " (gone)",
        416 => " (no such range)",
        429 => " (too many requests)",
        500 => " (internal error)",
        502 => " (bad gateway)",
        503 => " (unavailable)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let check = |name: &str, value: &str, expected: bool| {
            let map = Value::map([(name.to_owned(), Value::text(value))]);
            assert_eq!(are_headers(&map), expected, "{name:?}: {value:?}");
        };
        check("X-Token", "a b", true);
        check("", "a", false);
        check("X Token", "a", false);
        check("X:", "a", false);
        check("X", "a\r\nHost: b", false);
    }

    #[test]
    fn web() {
        let check = |url: &str, expected: bool| assert_eq!(is_web(&Value::text(url)), expected, "{url}");
        check("https://example.org/", true);
        check("http://example.org/", true);
        check("ftp://example.org/", false);
        check("file:///etc/passwd", false);
    }
}
