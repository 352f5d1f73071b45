//! HTTP requests.

use std::fmt;
use std::time::Duration;

use crate::error::Result;
use crate::types::Url;

/// How long a server may be silent by default.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// An HTTP request. Headers and body may hold secrets and are never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The URL. A user and password in it are sent as such, to this host alone.
    pub url: Url,
    /// Names and values of headers, besides those that every request has.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The timeout for connecting, and for each silence of the server.
    pub idle_timeout: Duration,
    /// The time limit of the whole exchange; none unless set.
    pub timeout: Option<Duration>,
    /// The CA certificates to trust instead of the machine's own, in PEM.
    pub trust: Option<Vec<u8>>,
}

impl Request {
    /// A `method` request for `url`, without headers and body.
    pub fn new(method: impl Into<String>, url: Url) -> Self {
        let (headers, body) = (Vec::new(), Vec::new());
        Self {
            method: method.into(),
            url,
            headers,
            body,
            idle_timeout: IDLE_TIMEOUT,
            timeout: None,
            trust: None,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.url.without_secrets())
    }
}

/// The head of a response: status and headers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The status, such as 200.
    pub status: u16,
    /// Names, in lower case, and values of headers.
    pub headers: Vec<(String, String)>,
}

impl Response {
    /// The first header with this name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Whether the status is in the 200 range.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Whether a [`Sink`] wants the rest of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Continue.
    More,
    /// Stop: the rest is not needed and not waited for.
    Enough,
}

/// Receives a response. Called with its head and an empty piece as soon as the head has arrived, then with each piece of
/// the body, in order. An error ends the exchange and becomes its result.
pub type Sink<'a> = dyn FnMut(&Response, &[u8]) -> Result<Flow> + 'a;
