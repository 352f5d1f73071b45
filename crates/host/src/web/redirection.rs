//! Where an answer leads.

use uphold_resource::{Error, ErrorKind, Request, Response, Result, Url};

/// More than any good server needs.
const LONGEST: usize = 10;

/// What another host may be told, too. All else could be a secret.
const HARMLESS: &[&str] =
    &["accept", "content-type", "if-modified-since", "if-none-match", "if-range", "range", "user-agent"];

/// A request on its way.
pub(super) struct Journey {
    /// What is asked next.
    pub(super) request: Request,
    steps: usize,
}

impl Journey {
    pub(super) fn begin(request: Request) -> Self {
        Self { request, steps: 0 }
    }

    /// Where this answer leads; none if it is the answer.
    ///
    /// # Errors
    /// If it must not be followed.
    pub(super) fn lead(&self, answer: &Response) -> Result<Option<Journey>> {
        let Some(location) = answer.header("location").filter(|_| self.is_followed(answer.status)) else {
            return Ok(None);
        };
        let from = self.request.url.without_secrets();
        let refuse = |why: String| Error::new(ErrorKind::Denied, format!("cannot go on from {from}: {why}"));
        let url = self.request.url.join(location).ok_or_else(|| refuse("it leads nowhere".to_owned()))?;
        let to = url.without_secrets();
        match (self.request.url.scheme(), url.scheme()) {
            (_, "https") | ("http", "http") => {}
            ("https", "http") => return Err(refuse(format!("{to} is not safe"))),
            _ => return Err(refuse(format!("{to} is not of the web"))),
        }
        if self.steps >= LONGEST {
            return Err(refuse(format!("it is the {LONGEST}th redirection")));
        }
        Ok(Some(Journey { request: redirected(&self.request, url), steps: self.steps + 1 }))
    }

    /// Whether an answer of this status asks for the same once more, elsewhere.
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

    fn led(method: &str, from: &str, status: u16, to: &str) -> Result<Option<Request>> {
        let url = Url::from_value(&Value::text(from), &Context::NOTHING).expect("a URL");
        let request = Request::new(method, url).with("X-Token", "secret").with("Range", "bytes=1-");
        let answer = Response { status, headers: vec![("location".to_owned(), to.to_owned())] };
        Ok(Journey::begin(request).lead(&answer)?.map(|journey| journey.request))
    }

    #[test]
    fn ways() {
        let check = |method: &str, status: u16, to: &str, expected: Option<&str>| {
            let found = led(method, "http://a.org/x", status, to).expect("it is allowed");
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
    fn refusals() {
        let check = |from: &str, to: &str, expected: &str| {
            assert_eq!(led("GET", from, 302, to).expect_err("refused").to_string(), expected);
        };
        check(
            "https://u:p@a.org/x?k",
            "http://a.org/y",
            "cannot go on from https://a.org/x: http://a.org/y is not safe",
        );
        check(
            "http://a.org/x",
            "file:///etc/passwd",
            "cannot go on from http://a.org/x: file:///etc/passwd is not of the web",
        );
        check("http://a.org/x", "a b", "cannot go on from http://a.org/x: it leads nowhere");
    }

    #[test]
    fn another_host_is_told_no_secrets() {
        let names = |to: &str| {
            let request =
                led("GET", "https://a.org/x", 302, to).expect("it is allowed").expect("it leads on");
            request.headers.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names("/y"), ["X-Token", "Range"]);
        assert_eq!(names("https://b.org/y"), ["Range"]);
        assert_eq!(names("https://a.org:444/y"), ["Range"]);
    }

    #[test]
    fn circles_end() {
        let url = Url::from_value(&Value::text("http://a.org/"), &Context::NOTHING).expect("a URL");
        let answer = Response { status: 302, headers: vec![("location".to_owned(), "/".to_owned())] };
        let mut journey = Journey::begin(Request::new("GET", url));
        let mut steps = 0;
        while let Ok(Some(next)) = journey.lead(&answer) {
            (journey, steps) = (next, steps + 1);
        }
        assert_eq!(steps, LONGEST);
    }
}
