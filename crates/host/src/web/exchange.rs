//! One request and its response.

use std::io::Read;

use data_encoding::BASE64;
use uphold_resource::{Flow, Request, Response, Result, Sink, Url};
use ureq::tls::TlsConfig;
use ureq::{Agent, Body, http};

use super::failure;
use super::gauge::Gauge;

/// Bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// Sends a request, and waits for the head of the response.
pub(super) fn send(agent: &Agent, request: &Request, tls: Option<TlsConfig>) -> Result<http::Response<Body>> {
    let mut message = http::Request::builder().method(request.method.as_str()).uri(address(&request.url));
    for (name, value) in &request.headers {
        message = message.header(name, value);
    }
    if let Some(info) = request.url.user_info() {
        message = message.header("authorization", format!("Basic {}", BASE64.encode(&info)));
    }
    let answer = if request.body.is_empty() {
        message.body(()).map_err(Into::into).and_then(|message| run(agent, message, request, tls))
    } else {
        let message = message.body(request.body.as_slice());
        message.map_err(Into::into).and_then(|message| run(agent, message, request, tls))
    };
    answer.map_err(|error| failure::explain(error, request))
}

fn run<B: ureq::AsSendBody>(
    agent: &Agent,
    message: http::Request<B>,
    request: &Request,
    tls: Option<TlsConfig>,
) -> std::result::Result<http::Response<Body>, ureq::Error> {
    let silence = Some(request.idle_timeout);
    let config = agent.configure_request(message).timeout_global(request.timeout);
    let config = config.timeout_resolve(silence).timeout_connect(silence);
    let config = config.timeout_per_read(silence).timeout_per_write(silence).timeout_recv_response(silence);
    match tls {
        Some(tls) => agent.run(config.tls_config(tls).build()),
        None => agent.run(config.build()),
    }
}

/// The URL as it is sent to a server: without user, password and fragment.
fn address(url: &Url) -> String {
    let whole = url.as_str();
    let whole = whole.split_once('#').map_or(whole, |(whole, _)| whole);
    match url.user_info() {
        None => whole.to_owned(),
        Some(_) => {
            let (_, rest) = whole.split_once('@').unwrap_or(("", whole));
            format!("{}://{rest}", url.scheme())
        }
    }
}

/// The head of a response. Headers that are not strings are left out.
pub(super) fn head(answer: &http::Response<Body>) -> Response {
    let text = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    };
    let headers = answer.headers().iter().filter_map(text).collect();
    Response { status: answer.status().as_u16(), headers }
}

/// Passes the response to `sink` in pieces.
pub(super) fn receive(
    answer: &mut http::Response<Body>,
    request: &Request,
    gauge: &Gauge,
    sink: &mut Sink<'_>,
) -> Result<Response> {
    let head = head(answer);
    let meter = gauge.begin(request.url.host(), answer.body().content_length());
    let mut flow = sink(&head, &[])?;
    let mut reader = answer.body_mut().as_reader();
    let mut buffer = vec![0; PIECE];
    while flow == Flow::More {
        let read =
            reader.read(&mut buffer).map_err(|error| failure::explain(ureq::Error::from(error), request))?;
        if read == 0 {
            break;
        }
        meter.add(read);
        flow = sink(&head, &buffer[..read])?;
    }
    Ok(head)
}
