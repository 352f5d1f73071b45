//! Servers that speak HTTP.

use std::fmt;
use std::time::Duration;

use crate::error::Result;
use crate::types::Url;

/// How long a server may be silent, unless it is said.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a server is asked. Headers and body may hold secrets: they are never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// What is asked for. A user and password in it are sent as such, to this host alone.
    pub url: Url,
    /// Names and values, besides those that every request has.
    pub headers: Vec<(String, String)>,
    /// What is sent along.
    pub body: Vec<u8>,
    /// How long the server may be silent, and how long it may take to reach it.
    pub patience: Duration,
    /// How long all of it may take; for ever unless set.
    pub timeout: Option<Duration>,
    /// The certificates to trust instead of the machine's own, in PEM.
    pub trust: Option<Vec<u8>>,
}

impl Request {
    /// `method` of `url`, with nothing else said.
    pub fn new(method: impl Into<String>, url: Url) -> Self {
        let (headers, body) = (Vec::new(), Vec::new());
        Self { method: method.into(), url, headers, body, patience: PATIENCE, timeout: None, trust: None }
    }

    /// The same with one more header.
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

/// The head of what a server answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The status, such as 200.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
}

impl Response {
    /// The first header of this name, which is written in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Whether the server did what it was asked.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Whether somebody wants to hear more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    More,
    /// The rest does not matter: it is not even waited for.
    Enough,
}

/// Takes an answer: called with its head and nothing as soon as that is there, then with each piece
/// of the body, in order. An error ends the exchange, and is what that fails with.
pub type Sink<'a> = dyn FnMut(&Response, &[u8]) -> Result<Flow> + 'a;
