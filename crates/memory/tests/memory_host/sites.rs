//! Servers of a machine in memory.

use std::path::Path;

use uphold_memory::{Edit, MemoryHost, Reply};
use uphold_resource::{Commands, Context, Error, Flow, Probes, Property, Request, Url, Value};

fn get(url: &str) -> Request {
    Request::new("GET", Url::from_value(&Value::text(url), &Context::NOTHING).expect("a URL"))
}

/// Status and body of a response.
fn fetch(host: &MemoryHost, request: &Request) -> Result<(u16, String), Error> {
    let mut body = Vec::new();
    let head = host.fetch(request, &mut |_, piece| {
        body.extend_from_slice(piece);
        Ok(Flow::More)
    })?;
    Ok((head.status, String::from_utf8(body).expect("text")))
}

#[test]
fn serves_a_page_in_full_in_part_or_not_at_all() {
    let host = MemoryHost::new().page("https://example.org/", "0123456789");
    let page = get("https://example.org/x");
    let check = |request: Request, status: u16, body: &str| {
        assert_eq!(
            fetch(&host, &request).expect("there is an answer"),
            (status, body.to_owned()),
            "{request:?}"
        );
    };
    let head = host.fetch(&page, &mut |_, _| Ok(Flow::Enough)).expect("there is an answer");
    let tag = head.header("etag").expect("it has a tag").to_owned();
    check(page.clone(), 200, "0123456789");
    check(page.clone().with("Range", "bytes=7-"), 206, "789");
    check(page.clone().with("Range", "bytes=10-"), 416, "");
    check(page.clone().with("Range", "bytes=7-").with("If-Range", "\"x\""), 200, "0123456789");
    check(page.clone().with("Range", "bytes=7-").with("If-Range", &*tag), 206, "789");
    check(page.with("If-None-Match", tag), 304, "");
    assert!(fetch(&host, &get("https://example.com/")).is_err());
}

#[test]
fn a_server_may_use_the_machine_and_break_the_connection() {
    let site = |request: &Request, host: &MemoryHost| {
        host.tamper("/asked", &request.method);
        Reply { cut: Some(2), ..Reply::new(200, "long") }
    };
    let host = MemoryHost::new().site("https://example.org/", site);
    let mut heard = Vec::new();
    let sent = host.send(&get("https://example.org/"), &mut |_, piece| {
        heard.extend_from_slice(piece);
        Ok(Flow::More)
    });
    assert!(sent.is_err() && heard == b"lo");
    assert_eq!(host.writes()[0].what, Edit::Send);
    assert_eq!(uphold_resource::Files::read(&host, Path::new("/asked"), 0).expect("it exists"), b"GET");
}
