//! `http_request`: something that is said to a server.

use uphold_resource::{
    Act, Bytes, Error, ErrorKind, Flow, Property, Reading, Request, Resource, Response, Result, Sink, Step,
    Told, Url, Verbs,
};

use super::Connection;
use super::connection::{is_web, unexpected};
use super::method::Method;
use crate::status::WrittenText;

/// The most of an answer that is kept for others to refer to.
const LARGEST: usize = 1024 * 1024;

/// What to do about a request that nothing can tell to be done.
const NEVER_DONE: &str = "add `check_url`, or send it every time with `action = \"send\"`";

/// Something that is said to a server.
///
/// A `GET` or `HEAD` only looks: it is sent at every visit, in a plan, too, for others to refer to its answer. It is
/// never a difference by itself.
///
/// Any other method changes something. It is sent if `check_url` does not answer as it should, and then `check_url` has
/// to. Without a `check_url` it is only sent on request: `action = "send"`, or by a notification.
///
/// ```hcl
/// http_request "register" {
///   url       = "https://example.org/hosts"
///   method    = "POST"
///   headers   = { Content-Type = "application/json" }
///   body      = jsonencode({ name = host.hostname })
///   check_url = "https://example.org/hosts/${host.hostname}"
/// }
/// ```
///
/// ```hcl
/// http_request "version" {
///   url = "https://example.org/version"
/// }
///
/// file "/etc/app-version" {
///   content = http_request.version.answer.body
/// }
/// ```
///
/// It cannot be removed: what was said cannot be taken back.
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "http_request",
    also("uri", "http", "webhook"),
    verbs(send = "Send it now, whatever `check_url` says."),
    permanent
)]
pub struct HttpRequest {
    /// What it is called.
    #[name]
    pub name: String,
    /// What is asked for.
    #[required(converge, send)]
    #[check(is_web, "must begin with http:// or https://")]
    pub url: Option<Url>,
    /// The method.
    #[default(Method::GET)]
    pub method: Method,
    /// What is sent along. A secret is passed on, and shown nowhere.
    #[also("message", "data", "payload")]
    pub body: Option<Bytes>,
    /// How the server is spoken to.
    #[flatten(settings)]
    pub connection: Connection,
    /// Statuses of a good answer; any from 200 to 299 if the list is empty. With any other it has failed.
    #[also("status_code", "expected_status")]
    #[default(Vec::new())]
    #[range(100..=599)]
    pub returns: Vec<u16>,
    /// What is asked for with `GET` to find out whether this has been done: then it answers with a status from 200 to 299.
    #[check(is_web, "must begin with http:// or https://")]
    pub check_url: Option<Url>,
    /// What the answer of `check_url` has to contain, besides.
    pub check_contains: Option<String>,
    /// The last answer: of the request if it was sent, else of `check_url`.
    pub answer: Told<Answer>,
}

/// The answer of a server. A body that is not UTF-8 is a value of bytes.
#[derive(Clone, Debug, Default, PartialEq, Property)]
pub struct Answer {
    /// The status.
    #[required]
    pub status: u16,
    /// What came along.
    #[required]
    pub body: WrittenText,
}

impl Resource for HttpRequest {
    fn load(&self, host: &Reading<'_>) -> Result<Option<HttpRequestState>> {
        let answer = match (&self.check_url, self.answer.told()) {
            (Some(url), told) => self.check(url, told, host)?,
            (None, Some(told)) => Some(told),
            (None, None) if self.method.only_looks() => Some(self.look(host)?),
            (None, None) => None,
        };
        Ok(answer.map(|answer| HttpRequestState { answer }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        if matches!(step, Step::Remove { .. }) {
            return Err(Error::new(ErrorKind::Unsupported, "a request cannot be taken back"));
        }
        if self.check_url.is_none() {
            let what = "nothing tells whether this request has been sent";
            return Err(Error::new(ErrorKind::Invalid, what).hint(NEVER_DONE));
        }
        self.send(host)
    }
}

impl Verbs for HttpRequest {
    type Verb = HttpRequestVerb;

    fn run(&self, verb: HttpRequestVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            HttpRequestVerb::Send => self.send(host),
        }
    }
}

impl HttpRequest {
    /// The answer of `check_url` if it says that the request has done its work; what the request itself was told
    /// counts more. That it has not is a failure if it was just sent.
    fn check(&self, url: &Url, told: Option<Answer>, host: &Reading<'_>) -> Result<Option<Answer>> {
        let request = self.connection.request("GET", url, host)?;
        let (head, answer) = exchange(&request, |sink| host.fetch(&request, sink))?;
        let wanted = self.check_contains.as_deref().unwrap_or_default();
        match (head.is_success() && contains(answer.body.bytes(), wanted.as_bytes()), told) {
            (true, told) => Ok(Some(told.unwrap_or(answer))),
            (false, None) => Ok(None),
            (false, Some(_)) => {
                let error = match head.is_success() {
                    true => Error::new(
                        ErrorKind::Rejected,
                        format!("{} lacks `check_contains`", url.without_secrets()),
                    ),
                    false => unexpected(url, &head),
                };
                let hint = "correct `check_url`, or let the request do what it looks for";
                Err(error.while_("`check_url` still says no after the request was sent").hint(hint))
            }
        }
    }

    fn look(&self, host: &Reading<'_>) -> Result<Answer> {
        let request = self.request(host)?;
        let (head, answer) = exchange(&request, |sink| host.fetch(&request, sink))?;
        self.expect(&request, &head).map(|()| answer)
    }

    fn send(&self, host: &Act<'_>) -> Result<()> {
        let request = self.request(host)?;
        let (head, answer) = exchange(&request, |sink| host.send(&request, sink))?;
        self.answer.tell(answer);
        self.expect(&request, &head)
    }

    fn request(&self, host: &Reading<'_>) -> Result<Request> {
        let url = self
            .url
            .as_ref()
            .ok_or_else(|| Error::new(ErrorKind::Invalid, "there is nothing to ask for").hint("add `url`"))?;
        let request = self.connection.request(self.method.as_str(), url, host)?;
        let body = self.body.as_ref().map(|body| body.0.to_vec()).unwrap_or_default();
        Ok(Request { body, ..request })
    }

    fn expect(&self, request: &Request, head: &Response) -> Result<()> {
        let fine = match self.returns.as_slice() {
            [] => head.is_success(),
            returns => returns.contains(&head.status),
        };
        if fine { Ok(()) } else { Err(unexpected(&request.url, head)) }
    }
}

fn contains(content: &[u8], part: &[u8]) -> bool {
    part.is_empty() || content.windows(part.len()).any(|window| window == part)
}

/// Makes an exchange, and keeps the whole answer.
fn exchange(
    request: &Request,
    make: impl FnOnce(&mut Sink<'_>) -> Result<Response>,
) -> Result<(Response, Answer)> {
    let mut body = Vec::new();
    let head = make(&mut |_, piece| {
        if body.len() + piece.len() > LARGEST {
            let what = format!("the answer of {} is larger than 1 MiB", request.url.without_secrets());
            return Err(Error::new(ErrorKind::Rejected, what).hint("get it with a `download`"));
        }
        body.extend_from_slice(piece);
        Ok(Flow::More)
    })?;
    let answer = Answer { status: head.status, body: body.into() };
    Ok((head, answer))
}
