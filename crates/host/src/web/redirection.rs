//! Redirections.

use uphold_resource::{Error, ErrorKind, Request, Response, Result, Url};

/// The limit for redirections.
const LIMIT: usize = 10;

/// Headers that are sent to another host, too. All others could be secret.
const HARMLESS: &[&str] =
    &["accept", "content-type", "if-modified-since", "if-none-match", "if-range", "range", "user-agent"];

/// A request with the redirections that it followed.
pub(super) struct RedirectChain {
    /// The next request.
    pub(super) request: Request,
    steps: usize,
}

impl RedirectChain {
    pub(super) fn begin(request: Request) -> Self {
        Self { request, steps: 0 }
    }

    /// The request that this response redirects to; `None` if it is final.
    ///
    /// # Errors
    /// If the redirection must not be followed.
    pub(super) fn next(&self, answer: &Response) -> Result<Option<RedirectChain>> {
        let Some(location) = answer.header("location").filter(|_| self.is_followed(answer.status)) else {
            return Ok(None);
        };
        let from = self.request.url.without_secrets();
        let refuse = |why: String| {
            Error::new(ErrorKind::Denied, format!("cannot follow the redirection of {from}: {why}"))
        };
        let url =
            self.request.url.join(location).ok_or_else(|| refuse("its location is not a URL".to_owned()))?;
        let to = url.without_secrets();
        match (self.request.url.scheme(), url.scheme()) {
            (_, "https") | ("http", "http") => {}
            ("https", "http") => return Err(refuse(format!("{to} is not encrypted"))),
            _ => return Err(refuse(format!("{to} is neither http nor https"))),
        }
        if self.steps >= LIMIT {
            return Err(refuse(format!("there are more than {LIMIT} redirections")));
        }
        Ok(Some(RedirectChain { request: redirected(&self.request, url), steps: self.steps + 1 }))
    }

    /// Whether a response of this status redirects the same request.
    fn is_followed(&self, status: u16) -> bool {
        let only_looks = matches!(self.request.method.as_str(), "GET" | "HEAD");
        matches!(status, 307 | 308) || only_looks && matches!(status, 301..=303)
    }
}

fn redirected(request: &Request, url: Url) -> Request {
    let same = url.host() == request.url.host() && url.scheme() == request.url.scheme();
    let mut next = Request { url, ..request.clone() };
    if !same {
        next.headers.retain(|(name, _)| HARMLESS.iter().any(|harmless| name.eq_ignore_ascii_case(harmless)));
    }
    next
}

#[cfg(test)]
mod tests {
    use uphold_resource::{Context, Property, Value};

    use super::*;

    fn redirect(method: &str, from: &str, status: u16, to: &str) -> Result<Option<Request>> {
        let url = Url::from_value(&Value::text(from), &Context::NOTHING).expect("a URL");
        let request = Request::new(method, url).with("X-Token", "secret").with("Range", "bytes=1-");
        let answer = Response { status, headers: vec![("location".to_owned(), to.to_owned())] };
        Ok(RedirectChain::begin(request).next(&answer)?.map(|chain| chain.request))
    }

    #[test]
    fn follows_redirections() {
        let check = |method: &str, status: u16, to: &str, expected: Option<&str>| {
            let found = redirect(method, "http://a.org/x", status, to).expect("it is allowed");
            assert_eq!(
                found.as_ref().map(|request| request.url.as_str()),
                expected,
                "{method} {status} {to}"
            );
        };
        check("GET", 302, "/y", Some("http://a.org/y"));
        check("GET", 303, "https://b.org/", Some("https://b.org/"));
        check("GET", 200, "/y", None);
        check("GET", 304, "/y", None);
        check("POST", 303, "/y", None);
        check("POST", 302, "/y", None);
        check("PUT", 307, "/y", Some("http://a.org/y"));
    }

    #[test]
    fn refuses_unsafe_redirections() {
        let check = |from: &str, to: &str, expected: &str| {
            assert_eq!(redirect("GET", from, 302, to).expect_err("refused").to_string(), expected);
        };
        check(
            "https://u:p@a.org/x?k",
            "http://a.org/y",
            "cannot follow the redirection of https://a.org/x: http://a.org/y is not encrypted",
        );
        check(
            "http://a.org/x",
            "file:///etc/passwd",
            "cannot follow the redirection of http://a.org/x: file:///etc/passwd is neither http nor https",
        );
        check(
            "http://a.org/x",
            "a b",
            "cannot follow the redirection of http://a.org/x: its location is not a URL",
        );
    }

    #[test]
    fn sends_no_secrets_to_another_host() {
        let names = |to: &str| {
            let request =
                redirect("GET", "https://a.org/x", 302, to).expect("it is allowed").expect("it leads on");
            request.headers.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names("/y"), ["X-Token", "Range"]);
        assert_eq!(names("https://b.org/y"), ["Range"]);
        assert_eq!(names("https://a.org:444/y"), ["Range"]);
    }

    #[test]
    fn a_circle_ends() {
        let url = Url::from_value(&Value::text("http://a.org/"), &Context::NOTHING).expect("a URL");
        let answer = Response { status: 302, headers: vec![("location".to_owned(), "/".to_owned())] };
        let mut chain = RedirectChain::begin(Request::new("GET", url));
        let mut steps = 0;
        while let Ok(Some(next)) = chain.next(&answer) {
            (chain, steps) = (next, steps + 1);
        }
        assert_eq!(steps, LIMIT);
    }
}
