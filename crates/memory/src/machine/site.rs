//! Servers that a machine in memory can reach.

use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use uphold_resource::{Error, ErrorKind, Flow, Request, Response, Result, Sink};

use super::MemoryHost;
use super::program::Running;

/// The function that implements a server.
pub(crate) type Site = dyn Fn(&Request, &MemoryHost) -> Reply + Send + Sync;

/// The size of the pieces of a body.
const PIECE: usize = 1024;

/// The response of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Its head.
    pub head: Response,
    /// Its body.
    pub body: Vec<u8>,
    /// The number of bytes after which the connection breaks, if it does.
    pub cut: Option<usize>,
}

impl Reply {
    /// A response with this status and body.
    pub fn new(status: u16, body: impl AsRef<[u8]>) -> Self {
        let head = Response { status, headers: Vec::new() };
        Self { head, body: body.as_ref().to_vec(), cut: None }
    }

    /// Adds a header, whose name is in lower case.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.head.headers.push((name.to_owned(), value.into()));
        self
    }
}

impl MemoryHost {
    /// Adds a server: this function answers requests for URLs with this prefix, unless a longer one matches. It may use the
    /// machine; its writes count as those of a program.
    #[must_use]
    pub fn site(
        mut self,
        beginning: &str,
        answer: impl Fn(&Request, &MemoryHost) -> Reply + Send + Sync + 'static,
    ) -> Self {
        self.machine.take();
        Arc::make_mut(&mut self.sites).insert(beginning.to_owned(), Arc::new(answer));
        self
    }

    /// Adds a page of a standard server: with an `ETag`, and in ranges if requested.
    #[must_use]
    pub fn page(self, url: &str, content: impl AsRef<[u8]>) -> Self {
        let content = content.as_ref().to_vec();
        self.site(url, move |request, _| page(request, &content))
    }

    /// Adds a page whose content is that of a file, while the file exists.
    #[must_use]
    pub fn page_from(self, url: &str, file: &str) -> Self {
        let file = file.to_owned();
        self.site(url, move |request, host| {
            let state = host.lock();
            let found = state.world.tree.find(file.as_ref()).ok().map(|inode| state.world.tree.get(inode));
            found.and_then(|node| node.bytes()).map_or(Reply::new(404, ""), |content| page(request, content))
        })
    }

    /// Answers a request.
    pub(crate) fn serve(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        let url = request.url.as_str();
        let site = self.sites.iter().filter(|(beginning, _)| url.starts_with(beginning.as_str()));
        let Some((_, site)) = site.max_by_key(|(beginning, _)| beginning.len()) else {
            let what = format!("cannot reach {}: its host does not exist", request.url.without_secrets());
            return Err(Error::new(ErrorKind::Missing, what));
        };
        let Reply { head, body, cut } = {
            let _running = Running::begin(self, url);
            site(request, self)
        };
        let mut flow = sink(&head, &[])?;
        for piece in body[..cut.unwrap_or(body.len())].chunks(PIECE) {
            if flow == Flow::Enough {
                return Ok(head);
            }
            flow = sink(&head, piece)?;
        }
        match (cut, flow) {
            (Some(_), Flow::More) => Err(Error::failed("the connection broke")),
            _ => Ok(head),
        }
    }
}

fn page(request: &Request, content: &[u8]) -> Reply {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    let tag = format!("\"{:x}\"", hasher.finish());
    let asked = |name: &str| {
        let found = request.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    };
    let range =
        asked("range").and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    let range = range.filter(|_| asked("if-range").is_none_or(|wanted| wanted == tag));
    let reply = match range {
        _ if asked("if-none-match") == Some(&tag) => Reply::new(304, ""),
        _ if request.method == "HEAD" => Reply::new(200, ""),
        Some(from) if from >= content.len() => Reply::new(416, ""),
        Some(from) => {
            let span = format!("bytes {from}-{}/{}", content.len() - 1, content.len());
            Reply::new(206, &content[from..]).with("content-range", span)
        }
        None => Reply::new(200, content).with("content-length", content.len().to_string()),
    };
    reply.with("etag", tag)
}
