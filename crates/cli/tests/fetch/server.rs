//! A web server with configurable faults.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// The content of a path, and its faults.
#[derive(Clone, Default)]
pub(crate) struct Page {
    pub(crate) content: Vec<u8>,
    pub(crate) etag: Option<&'static str>,
    /// Whether range requests are supported.
    pub(crate) ranges: bool,
    /// The connection breaks after this many bytes of the body.
    pub(crate) cut: Option<usize>,
    /// The transfer stalls after this many bytes of the body; the connection stays open.
    pub(crate) stall: Option<usize>,
    /// A wrong Content-Length; no header if 0.
    pub(crate) claim: Option<usize>,
    pub(crate) redirect: Option<String>,
    /// The status code; 200 unless set.
    pub(crate) status: Option<u16>,
}

impl Page {
    pub(crate) fn of(content: &[u8]) -> Self {
        Self { content: content.to_vec(), ranges: true, etag: Some("\"one\""), ..Self::default() }
    }
}

#[derive(Default)]
struct State {
    pages: HashMap<String, Page>,
    /// The raw head of each request.
    asked: Vec<String>,
}

/// A local server that runs as long as the test.
pub(crate) struct Server {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    scheme: &'static str,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::listen("http", None)
    }

    /// Starts it with TLS and a certificate of an unknown authority.
    pub(crate) fn start_safe() -> Self {
        let chain = CertificateDer::pem_slice_iter(include_bytes!("keys/server.pem"));
        let chain = chain.collect::<Result<Vec<_>, _>>().expect("certificates");
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("keys/server.key")).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.expect("versions").with_no_client_auth().with_single_cert(chain, key);
        Self::listen("https", Some(Arc::new(config.expect("a certificate"))))
    }

    fn listen(scheme: &'static str, tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::<Mutex<State>>::default();
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (state, tls) = (Arc::clone(&shared), tls.clone());
                thread::spawn(move || serve(stream, tls, &state));
            }
        });
        Self { address, state, scheme }
    }

    /// Puts a page at a path.
    pub(crate) fn put(&self, path: &str, page: Page) {
        self.state.lock().expect("no thread panicked").pages.insert(path.to_owned(), page);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    /// The URL with another name of the same machine.
    pub(crate) fn other_url(&self, path: &str) -> String {
        format!("{}://localhost:{}{path}", self.scheme, self.address.port())
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The heads of all requests since the last call.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().expect("no thread panicked").asked)
    }
}

fn serve(stream: TcpStream, tls: Option<Arc<ServerConfig>>, state: &Mutex<State>) {
    match tls {
        None => answer(&mut &stream, &stream, state),
        Some(config) => {
            let Ok(connection) = ServerConnection::new(config) else { return };
            let Ok(raw) = stream.try_clone() else { return };
            let mut safe = StreamOwned::new(connection, stream);
            answer(&mut safe, &raw, state);
            safe.conn.send_close_notify();
            let _ = safe.flush();
        }
    }
}

fn answer(stream: &mut (impl Read + Write), raw: &TcpStream, state: &Mutex<State>) {
    let mut head = read_head(stream);
    if head.starts_with("CONNECT ") {
        state.lock().expect("no thread panicked").asked.push(head.to_ascii_lowercase());
        let _ = stream.write_all(b"HTTP/1.1 200 Connected\r\n\r\n");
        head = read_head(stream);
    }
    // A client that does not trust the certificate sends no request.
    if head.is_empty() {
        return;
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let page = {
        let mut state = state.lock().expect("no thread panicked");
        state.asked.push(head.to_ascii_lowercase());
        state.pages.get(&path).cloned()
    };
    let (top, body) = reply(&head.to_ascii_lowercase(), page.as_ref());
    let page = page.unwrap_or_default();
    let most = page.cut.or(page.stall).unwrap_or(body.len()).min(body.len());
    let _ = stream.write_all(top.as_bytes()).and_then(|()| stream.write_all(&body[..most]));
    let _ = stream.flush();
    if page.stall.is_some() {
        // Longer than the timeout of any test.
        thread::sleep(Duration::from_secs(60));
    }
    if page.cut.is_some() {
        let _ = raw.shutdown(Shutdown::Both);
    }
}

fn read_head(stream: &mut impl Read) -> String {
    let mut head = String::new();
    let mut reader = BufReader::with_capacity(1, stream);
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).is_ok_and(|read| read > 0) {}
    head
}

/// Head and body of the response.
fn reply(head: &str, page: Option<&Page>) -> (String, Vec<u8>) {
    // Each connection is closed after its response; without the header, a client would reuse it.
    let closing = "Content-Length: 0\r\nConnection: close\r\n\r\n";
    let Some(page) = page else { return (format!("HTTP/1.1 404 No\r\n{closing}"), Vec::new()) };
    let asked = |name: &str| head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    let etag = page.etag.map(|etag| format!("ETag: {etag}\r\n")).unwrap_or_default();
    if let Some(to) = &page.redirect {
        return (format!("HTTP/1.1 302 There\r\nLocation: {to}\r\n{closing}"), Vec::new());
    }
    if page.etag.is_some() && asked("if-none-match") == page.etag {
        return (format!("HTTP/1.1 304 Same\r\n{etag}Connection: close\r\n\r\n"), Vec::new());
    }
    let range =
        asked("range").and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    let fits = page.ranges && asked("if-range").is_none_or(|tag| Some(tag) == page.etag);
    let (status, body) = match range.filter(|_| fits) {
        Some(from) if from >= page.content.len() => (416, Vec::new()),
        Some(from) => (206, page.content[from..].to_vec()),
        None => (page.status.unwrap_or(200), page.content.clone()),
    };
    let part = range.filter(|_| status == 206).map(|from: usize| {
        format!("Content-Range: bytes {from}-{}/{}\r\n", page.content.len() - 1, page.content.len())
    });
    let length = match page.claim.unwrap_or(body.len()) {
        0 if page.claim.is_some() => String::new(),
        length => format!("Content-Length: {length}\r\n"),
    };
    let part = part.unwrap_or_default();
    (format!("HTTP/1.1 {status} X\r\n{etag}{part}{length}Connection: close\r\n\r\n"), body)
}

/// Content that is long enough to be resumed; no two parts of it are equal.
pub(crate) fn large() -> Vec<u8> {
    (0..200_000_u32).flat_map(|number| (number.wrapping_mul(2_654_435_761)).to_le_bytes()).collect()
}
