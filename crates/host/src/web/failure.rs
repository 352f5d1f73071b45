//! What went wrong, for people. No address is shown whole: it may hold a secret.

use uphold_resource::{Error, ErrorKind, Request};
use ureq::Timeout;

/// Why there is no whole answer.
pub(super) fn explain(error: ureq::Error, request: &Request) -> Error {
    let url = request.url.without_secrets();
    let what = format!("cannot ask {url}");
    match error {
        ureq::Error::HostNotFound => {
            Error::new(ErrorKind::Missing, format!("{what}: the name of its host is not known"))
        }
        ureq::Error::Timeout(timeout) => {
            let why = match timeout {
                Timeout::Global => "it took too long".to_owned(),
                _ => format!("nothing came for {}", seconds(request)),
            };
            Error::new(ErrorKind::TimedOut, format!("{what}: {why}"))
        }
        ureq::Error::Rustls(error) => distrust(&what, error),
        // A message that repeats the address is not passed on.
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => {
            Error::new(ErrorKind::Invalid, format!("{what}: its address or a header cannot be sent"))
        }
        ureq::Error::Io(error) => from_below(&what, error),
        error => Error::failed(what).because(error),
    }
}

/// A handshake that fails is an error of reading, with the reason inside.
fn from_below(what: &str, error: std::io::Error) -> Error {
    match error.downcast::<rustls::Error>() {
        Ok(error) => distrust(what, error),
        Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {
            Error::new(ErrorKind::TimedOut, what).because(error)
        }
        Err(error) => Error::failed(what).because(error),
    }
}

fn distrust(what: &str, error: rustls::Error) -> Error {
    let is_certificate = matches!(error, rustls::Error::InvalidCertificate(_));
    let failure = Error::new(ErrorKind::Denied, what).because(error);
    match is_certificate {
        true => failure.hint("set `ca` to a file with the certificate of whoever signed the server's"),
        false => failure,
    }
}

fn seconds(request: &Request) -> String {
    format!("{} s", request.patience.as_secs_f64())
}
