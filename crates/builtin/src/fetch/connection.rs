//! The settings of HTTP requests that several kinds share.

use std::collections::BTreeMap;
use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Error, ErrorKind, Property, Reading, Request, Response, Result, Url, Value,
};

/// Headers, trusted certificates and time limit of a request.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Connection {
    /// HTTP headers to send. Secrets are sent, but never shown. If the server redirects to another host, the
    /// headers are not sent there.
    #[default(BTreeMap::new())]
    #[check(are_headers, "must have valid names and values of HTTP headers")]
    pub headers: BTreeMap<String, String>,
    /// File with the CA certificates to trust, in PEM format, instead of those of the system.
    #[also("ca_path", "cacert", "ca_file")]
    pub ca: Option<AbsolutePath>,
    /// How long the server may send nothing before the request fails. To limit the total time, use the meta
    /// argument `timeout`.
    #[also("patience", "http_timeout", "read_timeout")]
    #[default("30s")]
    pub idle_timeout: Duration,
}

/// Whether all headers are valid, and none contains a line break.
fn are_headers(value: &Value) -> bool {
    let name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let text = |value: &Value| matches!(value, Value::Text(text) if !text.contains(['\r', '\n', '\0']));
    matches!(value, Value::Map(map) if map.iter().all(|(key, value)| name(key) && text(value)))
}

/// Whether the URL has a supported scheme.
pub(crate) fn is_web(value: &Value) -> bool {
    let text = |value: &Value| matches!(value, Value::Text(text) if text.starts_with("http://") || text.starts_with("https://"));
    match value {
        Value::List(list) => list.iter().all(text),
        value => text(value),
    }
}

impl Connection {
    /// A request for `url` with these settings.
    ///
    /// # Errors
    /// If the certificates cannot be read.
    pub(crate) fn request(&self, method: &str, url: &Url, host: &Reading<'_>) -> Result<Request> {
        let trust = self.ca.as_ref().map(|ca| host.files().read(ca, 0)).transpose()?;
        let headers = self.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        Ok(Request { headers, trust, idle_timeout: self.idle_timeout, ..Request::new(method, url.clone()) })
    }
}

/// The error for an unexpected status.
pub(crate) fn unexpected(url: &Url, response: &Response) -> Error {
    let (status, words) = (response.status, words(response.status));
    let what = format!("{} returned status {status}{words}", url.without_secrets());
    let error = Error::new(ErrorKind::Rejected, what);
    match status {
        401 | 403 => error.hint("the server requires authentication: set it in `headers`"),
        404 | 410 => error.hint("correct the URL: the server has nothing there"),
        _ => error,
    }
}

/// The meaning of a status.
fn words(status: u16) -> &'static str {
    match status {
        301 | 302 | 303 | 307 | 308 => " (redirect)",
        400 => " (bad request)",
        401 => " (unauthorized)",
        403 => " (forbidden)",
        404 => " (not found)",
        405 => " (method not allowed)",
        409 => " (conflict)",
        410 => " (gone)",
        416 => " (range not satisfiable)",
        429 => " (too many requests)",
        500 => " (internal server error)",
        502 => " (bad gateway)",
        503 => " (service unavailable)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_headers() {
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
    fn checks_schemes() {
        let check = |url: &str, expected: bool| assert_eq!(is_web(&Value::text(url)), expected, "{url}");
        check("https://example.org/", true);
        check("http://example.org/", true);
        check("ftp://example.org/", false);
        check("file:///etc/passwd", false);
    }
}
