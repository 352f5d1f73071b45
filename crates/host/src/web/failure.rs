//! Errors of requests. No URL is shown in full: it may contain a secret.

use uphold_resource::{Error, ErrorKind, Request};
use ureq::Timeout;

/// The error for a request without a complete response.
pub(super) fn explain(error: ureq::Error, request: &Request) -> Error {
    let url = request.url.without_secrets();
    let what = format!("cannot request {url}");
    match error {
        ureq::Error::HostNotFound => {
            Error::new(ErrorKind::Missing, format!("{what}: the host name cannot be resolved"))
        }
        ureq::Error::Timeout(timeout) => {
            let why = match timeout {
                Timeout::Global => "it took too long".to_owned(),
                _ => format!("no data for {}", seconds(request)),
            };
            Error::new(ErrorKind::TimedOut, format!("{what}: {why}"))
        }
        ureq::Error::Rustls(error) => untrusted(&what, error),
        // The library's message contains the URL, so it is not passed on.
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => {
            Error::new(ErrorKind::Invalid, format!("{what}: the URL or a header is invalid"))
        }
        ureq::Error::Io(error) => from_io(&what, error),
        error => Error::failed(what).because(error),
    }
}

/// A failed handshake is reported as an error of reading, with the reason inside.
fn from_io(what: &str, error: std::io::Error) -> Error {
    match error.downcast::<rustls::Error>() {
        Ok(error) => untrusted(what, error),
        Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {
            Error::new(ErrorKind::TimedOut, what).because(error)
        }
        Err(error) => Error::failed(what).because(error),
    }
}

fn untrusted(what: &str, error: rustls::Error) -> Error {
    let is_certificate = matches!(error, rustls::Error::InvalidCertificate(_));
    let failure = Error::new(ErrorKind::Denied, what).because(error);
    if is_certificate {
        failure.hint("set `ca` to a file with the certificate of the CA that signed the server's certificate")
    } else {
        failure
    }
}

fn seconds(request: &Request) -> String {
    format!("{} s", request.idle_timeout.as_secs_f64())
}
