//! Watched events, as Uphold's part of a manifest declares them: `path:{path}`, `interval:30s`.

use std::path::Path;
use std::time::Duration;

use uphold_model::parse_duration;
use uphold_resource::Interest;

use crate::document::{Fault, Located};

/// A watched event, with properties in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Watched {
    Named(WatchedKind, Vec<Piece>),
    Interval(Duration),
    Accounts,
    Packages,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WatchedKind {
    Path,
    Entries,
    Tree,
    Unit,
    Process,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    /// The value of this property.
    Property(String),
}

const SORTS: [(&str, WatchedKind); 5] = [
    ("path", WatchedKind::Path),
    ("entries", WatchedKind::Entries),
    ("tree", WatchedKind::Tree),
    ("unit", WatchedKind::Unit),
    ("process", WatchedKind::Process),
];

const FIX: &str = "write `path:{property}`, `entries:…`, `tree:…`, `unit:…`, `process:…`, `interval:30s`, `accounts` \
                   or `packages`";

impl Watched {
    pub(crate) fn read(located: &Located<'_>) -> Result<Self, Fault> {
        let text = located.text()?;
        let refused = || located.fault(format!("{text:?} cannot be watched"), FIX);
        match text.split_once(':') {
            None if text == "accounts" => Ok(Self::Accounts),
            None if text == "packages" => Ok(Self::Packages),
            Some(("interval", span)) => {
                let span = parse_duration(span).filter(|span| !span.is_zero());
                span.map(Self::Interval).ok_or_else(refused)
            }
            Some((sort, name)) => {
                let sort = SORTS.iter().find(|(word, _)| *word == sort).map(|(_, sort)| *sort);
                let pieces = pieces(name).filter(|pieces| !pieces.is_empty());
                sort.zip(pieces).map(|(sort, pieces)| Self::Named(sort, pieces)).ok_or_else(refused)
            }
            None => Err(refused()),
        }
    }

    /// The properties in it.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &str> {
        let pieces = if let Self::Named(_, pieces) = self { pieces.as_slice() } else { &[] };
        pieces.iter().filter_map(|piece| match piece {
            Piece::Property(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The interest, with the values of properties filled in; none if one is unknown, or if the path is not absolute.
    pub(crate) fn interest(&self, value: &dyn Fn(&str) -> Option<String>) -> Option<Interest> {
        let (sort, pieces) = match self {
            Self::Interval(span) => return Some(Interest::Interval(*span)),
            Self::Accounts => return Some(Interest::Accounts),
            Self::Packages => return Some(Interest::Packages),
            Self::Named(sort, pieces) => (*sort, pieces),
        };
        let written = |piece: &Piece| match piece {
            Piece::Text(text) => Some(text.clone()),
            Piece::Property(name) => value(name),
        };
        let name: String = pieces.iter().map(written).collect::<Option<_>>()?;
        let is_path = matches!(sort, WatchedKind::Path | WatchedKind::Entries | WatchedKind::Tree);
        if is_path && !Path::new(&name).is_absolute() {
            return None;
        }
        Some(match sort {
            WatchedKind::Path => Interest::Path(name.into()),
            WatchedKind::Entries => Interest::Entries(name.into()),
            WatchedKind::Tree => Interest::Tree(name.into()),
            WatchedKind::Unit => Interest::Unit(name.into()),
            WatchedKind::Process => Interest::Process(name.into()),
        })
    }
}

/// The pieces of `/etc/{name}.conf`; none if a brace is not closed.
fn pieces(mut rest: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        pieces.push(Piece::Property(name.to_owned()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn properties_are_substituted_in_watched_events() {
        let check = |text: &str, expected: Option<Interest>| {
            let document = Document::read("a.json", &format!("{text:?}")).expect("it is JSON");
            let value = |name: &str| match name {
                "path" => Some("/srv/a".to_owned()),
                "word" => Some("x".to_owned()),
                _ => None,
            };
            let watched = Watched::read(&Located::whole(&document)).expect(text);
            assert_eq!(watched.interest(&value), expected, "{text}");
        };
        check("path:{path}", Some(Interest::Path("/srv/a".into())));
        check("entries:{path}/{word}.d", Some(Interest::Entries("/srv/a/x.d".into())));
        check("tree:/etc/app", Some(Interest::Tree("/etc/app".into())));
        check("path:{word}", None);
        check("path:{unset}", None);
        check("unit:{word}.service", Some(Interest::Unit("x.service".into())));
        check("process:{word}", Some(Interest::Process("x".into())));
        check("interval:90s", Some(Interest::Interval(Duration::from_secs(90))));
        check("accounts", Some(Interest::Accounts));
        check("packages", Some(Interest::Packages));
    }

    #[test]
    fn unknown_events_are_rejected() {
        for text in ["", "path", "path:", "path:{x", "interval:0s", "interval:soon", "moon:full"] {
            let document = Document::read("a.json", &format!("{text:?}")).expect("it is JSON");
            let fault = Watched::read(&Located::whole(&document)).expect_err(text);
            assert_eq!(fault.what, format!("{text:?} cannot be watched"));
        }
    }
}
