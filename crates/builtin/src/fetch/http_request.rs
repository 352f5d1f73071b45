//! The kind `http_request`.

use uphold_kit::status::WrittenText;
use uphold_resource::{
    Act, Bytes, Context, Error, ErrorKind, Flow, Found, Look, Problem, ProblemKind, Produced, Property,
    Reading, Request, Resource, Response, Result, Sink, Step, Type, Url, Value, Verbs,
};

use super::Connection;
use super::connection::{is_web, unexpected};

/// The maximum size of a response.
const LARGEST: usize = 1024 * 1024;

/// The hint for a request without `check_url`.
const NO_CHECK: &str = "add `check_url`, or send the request at every run with `action = \"send\"`";

/// An HTTP request.
///
/// A `GET` or `HEAD` request only reads: it is sent at each check, also in a plan, so that other blocks can use its
/// response. It never counts as a change.
///
/// Any other method is a change. The request is sent if `check_url` does not respond as expected, and `check_url`
/// must do so afterwards. Without `check_url` it is sent only by `action = "send"` or by a notification.
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
/// It cannot be removed, because a request cannot be undone.
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "http_request",
    also("uri", "http", "webhook"),
    verbs(send = "Send the request now, regardless of `check_url`."),
    permanent
)]
pub struct HttpRequest {
    /// Name of the request; defaults to the block's label.
    #[name]
    pub name: String,
    /// URL of the request.
    #[required(converge, send)]
    #[check(is_web, "must begin with http:// or https://")]
    pub url: Option<Url>,
    /// HTTP method.
    #[default(Method::GET)]
    pub method: Method,
    /// Request body. A secret is sent, but never shown.
    #[also("message", "data", "payload")]
    pub body: Option<Bytes>,
    /// Settings of the HTTP request.
    #[flatten(settings)]
    pub connection: Connection,
    /// Expected statuses; any from 200 to 299 if the list is empty. Any other status is an error.
    #[also("status_code", "expected_status")]
    #[default(Vec::new())]
    #[range(100..=599)]
    pub returns: Vec<u16>,
    /// URL that is requested with `GET` to check whether the request is needed. A status from 200 to 299 means that
    /// it is not.
    #[check(is_web, "must begin with http:// or https://")]
    pub check_url: Option<Url>,
    /// String that the response of `check_url` must also contain.
    pub check_contains: Option<String>,
    /// The last response: of the request if it was sent, otherwise of `check_url`.
    pub answer: Produced<Answer>,
}

/// A response. A body that is not UTF-8 is a value of bytes.
#[derive(Clone, Debug, Default, PartialEq, Property)]
pub struct Answer {
    /// HTTP status.
    #[required]
    pub status: u16,
    /// Response body.
    #[required]
    pub body: WrittenText,
}

impl Resource for HttpRequest {
    fn validate(&self) -> Result<(), Problem> {
        if self.check_url.is_some() || self.method.is_read_only() {
            return Ok(());
        }
        let rule = format!("is required to decide whether the {} request is needed", self.method.as_str());
        Err(Problem::new(None, rule, NO_CHECK).sort(ProblemKind::Missing).inside("check_url"))
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let answer = match (&self.check_url, self.answer.get()) {
            (Some(url), stored) => self.check(url, stored, look)?,
            (None, Some(stored)) => Some(stored),
            (None, None) if self.method.is_read_only() => Some(self.look(look)?),
            (None, None) => None,
        };
        Ok(answer.map(|answer| HttpRequestState { answer }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        if matches!(step, Step::Remove { .. }) {
            return Err(Error::new(ErrorKind::Unsupported, "a request cannot be undone"));
        }
        if self.check_url.is_none() {
            let what = "it is unknown whether this request is needed, because `check_url` is not set";
            return Err(Error::new(ErrorKind::Invalid, what).hint(NO_CHECK));
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
    /// The response of the request, or of `check_url` if it was not sent; none if `check_url` shows that the
    /// request is needed. Fails if that is so directly after it was sent.
    fn check(&self, url: &Url, stored: Option<Answer>, host: &Reading<'_>) -> Result<Option<Answer>> {
        let request = self.connection.request("GET", url, host)?;
        let (head, answer) = exchange(&request, |sink| host.fetch(&request, sink))?;
        let wanted = self.check_contains.as_deref().unwrap_or_default();
        match (head.is_success() && contains(answer.body.bytes(), wanted.as_bytes()), stored) {
            (true, stored) => Ok(Some(stored.unwrap_or(answer))),
            (false, None) => Ok(None),
            (false, Some(_)) => {
                let error = if head.is_success() {
                    let url = url.without_secrets();
                    let what = format!("the response of {url} does not contain `check_contains`");
                    Error::new(ErrorKind::Rejected, what)
                } else {
                    unexpected(url, &head)
                };
                let hint = "correct `check_url`, `check_contains` or the request";
                Err(error
                    .while_("the check with `check_url` still fails after the request was sent")
                    .hint(hint))
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
        self.answer.set(answer);
        self.expect(&request, &head)
    }

    fn request(&self, host: &Reading<'_>) -> Result<Request> {
        let url = self
            .url
            .as_ref()
            .ok_or_else(|| Error::new(ErrorKind::Invalid, "the request has no URL").hint("add `url`"))?;
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

/// Sends a request and collects the whole response.
fn exchange(
    request: &Request,
    make: impl FnOnce(&mut Sink<'_>) -> Result<Response>,
) -> Result<(Response, Answer)> {
    let mut body = Vec::new();
    let head = make(&mut |_, piece| {
        if body.len() + piece.len() > LARGEST {
            let what = format!("the response of {} is larger than 1 MiB", request.url.without_secrets());
            return Err(Error::new(ErrorKind::Rejected, what).hint("use a `download` instead"));
        }
        body.extend_from_slice(piece);
        Ok(Flow::More)
    })?;
    let answer = Answer { status: head.status, body: body.into() };
    Ok((head, answer))
}

// HTTP methods.

/// The supported methods.
const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// An HTTP method, in any case: `"post"` is `"POST"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method(&'static str);

impl Method {
    /// A request that changes nothing.
    pub(crate) const GET: Method = Method("GET");

    /// The method in upper case.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Whether the method is read-only by definition.
    pub(crate) fn is_read_only(self) -> bool {
        matches!(self.0, "GET" | "HEAD")
    }
}

impl Property for Method {
    const TYPE: &'static Type =
        &Type::Named { name: "method", doc: "an HTTP method, in any case", example: r#""POST""# };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let found = match value {
            Value::Text(text) => METHODS.iter().find(|method| text.eq_ignore_ascii_case(method)),
            _ => None,
        };
        let fix = format!("use one of {}", METHODS.join(", "));
        found
            .map(|method| Method(method))
            .ok_or_else(|| Problem::new(Some(value), "is not a supported HTTP method", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        let read = |text: &str| Method::from_value(&Value::text(text), &Context::NOTHING);
        assert_eq!(read("post"), read("POST"));
        assert!(
            read("get").is_ok_and(Method::is_read_only) && read("put").is_ok_and(|put| !put.is_read_only())
        );
        assert!(read("BREW").is_err() && read("").is_err());
    }
}
