//! A line of a `known_hosts` file.

use super::hashed_name::{is_hashed, matches};
use crate::public_key::PublicKey;

/// A line with the key of a host.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) marker: Option<String>,
    /// Its names: a single hashed one, or any number of plain ones.
    pub(super) names: Vec<String>,
    pub(super) key: PublicKey,
    comment: String,
}

/// Identifies a line.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) marker: Option<&'a str>,
    /// The name as written in a line: in lower case, with the port unless it is 22.
    pub(super) name: &'a str,
    /// The key type; none for any.
    pub(super) kind: Option<&'a str>,
}

impl Row {
    pub(super) fn new(search: Search<'_>, key: PublicKey) -> Self {
        let marker = search.marker.map(str::to_owned);
        Self { marker, names: vec![search.name.to_owned()], key, comment: String::new() }
    }

    /// Parses a line; none if it has no key.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let text = line.trim();
        let (marker, text) = match text.strip_prefix('@') {
            Some(marked) => {
                marked.split_once([' ', '\t']).map(|(marker, rest)| (Some(marker), rest.trim_start()))?
            }
            None => (None, text),
        };
        if text.starts_with('#') {
            return None;
        }
        let (names, rest) = text.split_once([' ', '\t'])?;
        let mut words = rest.trim_start().splitn(2, [' ', '\t']);
        let kind = words.next()?;
        let behind = words.next()?.trim_start();
        let (body, comment) = behind.split_once([' ', '\t']).unwrap_or((behind, ""));
        let key = PublicKey::parse(&format!("{kind} {body}")).ok()?;
        Some(Self {
            marker: marker.map(str::to_owned),
            names: names.split(',').map(str::to_owned).collect(),
            key,
            comment: comment.trim().to_owned(),
        })
    }

    pub(super) fn is(&self, search: Search<'_>) -> bool {
        self.marker.as_deref() == search.marker
            && search.kind.is_none_or(|kind| kind == self.key.kind())
            && self.names.iter().any(|name| is_name(name, search.name))
    }

    /// Whether its name is hashed.
    pub(super) fn is_hashed(&self) -> bool {
        self.names.iter().any(|name| is_hashed(name))
    }

    /// All plain names other than this one.
    pub(super) fn others(&self, name: &str) -> Vec<String> {
        self.names.iter().filter(|other| !is_name(other, name) && !is_hashed(other)).cloned().collect()
    }

    /// The same line with other names.
    pub(super) fn named(&self, names: Vec<String>) -> Self {
        Self { names, ..self.clone() }
    }

    pub(super) fn text(&self) -> String {
        let marker = self.marker.as_ref().map_or(String::new(), |marker| format!("@{marker} "));
        let comment = if self.comment.is_empty() { String::new() } else { format!(" {}", self.comment) };
        format!("{marker}{} {}{comment}", self.names.join(","), self.key)
    }
}

/// Whether a name in a line is `name`. Patterns are compared literally.
fn is_name(written: &str, name: &str) -> bool {
    if is_hashed(written) { matches(written, name) } else { written.to_lowercase() == name }
}

/// A name as written in a line.
pub(super) fn token(host: &str, port: u16) -> String {
    let host = host.to_lowercase();
    match port {
        22 => host,
        _ if host.starts_with('[') => host,
        _ => format!("[{host}]:{port}"),
    }
}

/// A name without this port.
pub(super) fn host(token: &str, port: u16) -> String {
    let inner = token.strip_prefix('[').and_then(|rest| rest.strip_suffix(&format!("]:{port}")));
    inner.filter(|_| port != 22).unwrap_or(token).to_owned()
}
