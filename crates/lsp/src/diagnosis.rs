//! What is wrong with the configurations that are open.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use uphold::model::{Code, Diagnostic, Diagnostics, Place, Severity, SourceId, Sources};
use uphold::{Configuration, ErrorKind, KindReading, Rejected};

use crate::desk::Desk;
use crate::roots::roots;
use crate::text::{Lines, uri_of};

/// What the editor was told, so that it can be told when it is over.
#[derive(Default)]
pub(crate) struct Diagnosis {
    told: BTreeSet<PathBuf>,
}

/// A directory, read and checked as one configuration.
enum Reading {
    Read { sources: Sources, diagnostics: Diagnostics },
    Failed(String),
}

impl Diagnosis {
    /// What to tell the editor: the parameters of one message for each file.
    pub(crate) fn messages(&mut self, desk: &mut Desk) -> Vec<Json> {
        let mut found: BTreeMap<PathBuf, Vec<Json>> = BTreeMap::new();
        for sheet in desk.all_open().map(|(sheet, _)| sheet) {
            found.insert(sheet.path.clone(), Vec::new());
        }
        for root in roots(desk) {
            collect(&root, &read(desk, &root), desk, &mut found);
        }
        let wrong = found.iter().filter(|(_, list)| !list.is_empty()).map(|(path, _)| path.clone()).collect();
        let told = std::mem::replace(&mut self.told, wrong);
        for path in told {
            found.entry(path).or_default();
        }
        found.into_iter().map(|(path, list)| message(desk, &path, &list)).collect()
    }
}

fn message(desk: &Desk, path: &Path, list: &[Json]) -> Json {
    match desk.all_open().find(|(sheet, _)| sheet.path == path) {
        Some((sheet, version)) => json!({ "uri": sheet.uri, "version": version, "diagnostics": list }),
        None => json!({ "uri": uri_of(path), "diagnostics": list }),
    }
}

fn read(desk: &Desk, directory: &Path) -> Reading {
    match desk.reader().read([directory]).map(Configuration::check) {
        Ok(Ok(checked)) => {
            let (sources, diagnostics) = checked.into_findings();
            Reading::Read { sources, diagnostics }
        }
        Ok(Err(Rejected { sources, diagnostics })) => Reading::Read { sources, diagnostics },
        // Files of kinds may be written before the configuration.
        Err(error) if error.kind() == ErrorKind::Missing && has_open_kinds(desk, directory) => {
            let KindReading { sources, diagnostics, .. } = desk.reader().read_kinds([directory]);
            Reading::Read { sources, diagnostics }
        }
        Err(error) => Reading::Failed(error.chain()),
    }
}

/// Whether a file of kinds is open that lies beside a configuration in this directory.
fn has_open_kinds(desk: &Desk, directory: &Path) -> bool {
    desk.all_open()
        .any(|(sheet, _)| sheet.directory() != directory && sheet.configuration_directory() == directory)
}

/// Adds what is wrong with a configuration, each to its file.
fn collect(root: &Path, reading: &Reading, desk: &Desk, found: &mut BTreeMap<PathBuf, Vec<Json>>) {
    let first = found.keys().find(|path| path.parent() == Some(root)).cloned();
    match reading {
        Reading::Failed(reason) => {
            let error = json!({ "range": nowhere(), "severity": 1, "source": "uphold", "message": reason });
            found.entry(first.unwrap_or_else(|| root.to_owned())).or_default().push(error);
        }
        Reading::Read { sources, diagnostics } => {
            let mut places = Places { sources, desk, lines: BTreeMap::new() };
            for diagnostic in diagnostics.iter() {
                let path = diagnostic.place.map(|place| PathBuf::from(&sources.get(place.source).name));
                let Some(path) = path.or_else(|| first.clone()) else { continue };
                let json = places.diagnostic(diagnostic);
                let list = found.entry(path).or_default();
                if !list.contains(&json) {
                    list.push(json);
                }
            }
        }
    }
}

fn nowhere() -> gen_lsp_types::Range {
    Lines::new("").range(&(0..0))
}

/// Places of a reading as the protocol writes them.
struct Places<'a> {
    sources: &'a Sources,
    desk: &'a Desk,
    lines: BTreeMap<SourceId, Lines>,
}

impl Places<'_> {
    fn diagnostic(&mut self, diagnostic: &Diagnostic) -> Json {
        let Diagnostic { code, detail, place, related, fix } = diagnostic;
        let severity = match code.severity() {
            // A param that is set from outside is no mistake of the text.
            _ if *code == Code::MissingParam && related.is_empty() => 3,
            Severity::Error => 1,
            Severity::Warning => 2,
        };
        let fix = fix.iter().map(|fix| format!("\n{fix}")).collect::<String>();
        let mut json = json!({
            "range": place.map_or_else(nowhere, |place| self.range(place)),
            "severity": severity,
            "source": "uphold",
            "code": code.id(),
            "message": format!("{}: {detail}{fix}", code.summary()),
        });
        if !related.is_empty() {
            let related = related.iter().map(|related| {
                let location = json!({ "uri": self.uri(related.place), "range": self.range(related.place) });
                json!({ "location": location, "message": related.label })
            });
            json["relatedInformation"] = related.collect();
        }
        if matches!(code, Code::UnusedParam | Code::UnusedLocal) {
            // The editor shows it faint.
            json["tags"] = json!([1]);
        }
        json
    }

    fn uri(&self, place: Place) -> String {
        let path = Path::new(&self.sources.get(place.source).name);
        let open = self.desk.all_open().find(|(sheet, _)| sheet.path == path);
        open.map_or_else(|| uri_of(path), |(sheet, _)| sheet.uri.clone())
    }

    fn range(&mut self, place: Place) -> gen_lsp_types::Range {
        let Range { start, end } = place.range();
        let source = self.sources.get(place.source);
        let path = Path::new(&source.name);
        if let Some((sheet, _)) = self.desk.all_open().find(|(sheet, _)| sheet.path == path) {
            // The reader leaves out a byte order mark.
            let mark = sheet.text.len().saturating_sub(source.text.len());
            return sheet.range(&(start + mark..end + mark));
        }
        self.lines.entry(place.source).or_insert_with(|| Lines::new(&source.text)).range(&(start..end))
    }
}
