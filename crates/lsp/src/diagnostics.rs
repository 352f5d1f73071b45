//! The diagnostics of the open configurations.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    self as lsp, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    PublishDiagnosticsParams,
};
use uphold::model::{Code, Diagnostic, Diagnostics, Place, Severity, SourceId, Sources};
use uphold::{Configuration, ErrorKind, KindReading, Rejected};

use crate::document::LineIndex;
use crate::uri::uri_of;
use crate::workspace::Workspace;

type ByFile = BTreeMap<PathBuf, Vec<lsp::Diagnostic>>;

/// Publishes diagnostics, and remembers the files that have some: those are cleared when they are fixed.
#[derive(Default)]
pub(crate) struct Publisher {
    published: BTreeSet<PathBuf>,
}

impl Publisher {
    /// One message for each file.
    pub(crate) fn messages(&mut self, workspace: &mut Workspace) -> Vec<PublishDiagnosticsParams> {
        let mut found: ByFile =
            workspace.all_open().map(|document| (document.path.clone(), Vec::new())).collect();
        for root in workspace.roots() {
            collect(&root, workspace, &mut found);
        }
        let wrong = found.iter().filter(|(_, list)| !list.is_empty()).map(|(path, _)| path.clone()).collect();
        for path in std::mem::replace(&mut self.published, wrong) {
            found.entry(path).or_default();
        }
        let message = |(path, list): (PathBuf, _)| match workspace.open_at(&path) {
            Some((document, version)) => {
                PublishDiagnosticsParams::new(document.uri.clone().into(), Some(*version), list)
            }
            None => PublishDiagnosticsParams::new(uri_of(&path).into(), None, list),
        };
        found.into_iter().map(message).collect()
    }
}

/// Reads and checks a directory as one configuration.
fn check(workspace: &Workspace, directory: &Path) -> uphold::Result<(Sources, Diagnostics)> {
    match workspace.reader().read([directory]).map(Configuration::check) {
        Ok(Ok(checked)) => Ok(checked.into_findings()),
        Ok(Err(Rejected { sources, diagnostics })) => Ok((sources, diagnostics)),
        // Kind files may be written before the configuration.
        Err(error) if error.kind() == ErrorKind::Missing && has_open_kinds(workspace, directory) => {
            let KindReading { sources, diagnostics, .. } = workspace.reader().read_kinds([directory]);
            Ok((sources, diagnostics))
        }
        Err(error) => Err(error),
    }
}

/// Whether a kind file of a configuration in this directory is open.
fn has_open_kinds(workspace: &Workspace, directory: &Path) -> bool {
    workspace
        .all_open()
        .any(|document| document.directory() != directory && document.configuration_directory() == directory)
}

/// Adds the diagnostics of a configuration to their files.
fn collect(root: &Path, workspace: &Workspace, found: &mut ByFile) {
    let first = found.keys().find(|path| path.parent() == Some(root)).cloned();
    match check(workspace, root) {
        Err(error) => {
            let diagnostic = diagnostic(lsp::Range::default(), DiagnosticSeverity::Error, error.chain());
            found.entry(first.unwrap_or_else(|| root.to_owned())).or_default().push(diagnostic);
        }
        Ok((sources, diagnostics)) => {
            let mut places = Places { sources: &sources, workspace, lines: BTreeMap::new() };
            for diagnostic in diagnostics.iter() {
                let path = diagnostic.place.map(|place| PathBuf::from(&sources.get(place.source).name));
                let Some(path) = path.or_else(|| first.clone()) else { continue };
                let converted = places.diagnostic(diagnostic);
                let list = found.entry(path).or_default();
                if !list.contains(&converted) {
                    list.push(converted);
                }
            }
        }
    }
}

fn diagnostic(range: lsp::Range, severity: DiagnosticSeverity, message: String) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range,
        severity: Some(severity),
        source: Some("uphold".to_owned()),
        message: message.into(),
        ..lsp::Diagnostic::default()
    }
}

/// Converts the places of a check to those of the protocol.
struct Places<'a> {
    sources: &'a Sources,
    workspace: &'a Workspace,
    lines: BTreeMap<SourceId, LineIndex>,
}

impl Places<'_> {
    fn diagnostic(&mut self, found: &Diagnostic) -> lsp::Diagnostic {
        let Diagnostic { code, detail, place, related, fix } = found;
        let severity = match code.severity() {
            // A param that is set from outside is no mistake in the text.
            _ if *code == Code::MissingParam && related.is_empty() => DiagnosticSeverity::Information,
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
        };
        let range = place.map(|place| self.range(place)).unwrap_or_default();
        let fix = fix.iter().map(|fix| format!("\n{fix}")).collect::<String>();
        let related: Vec<DiagnosticRelatedInformation> = related
            .iter()
            .map(|related| {
                let location = Location::new(self.uri(related.place).into(), self.range(related.place));
                DiagnosticRelatedInformation::new(location, related.label.clone())
            })
            .collect();
        // Editors show unnecessary code faint.
        let is_unused = matches!(code, Code::UnusedParam | Code::UnusedLocal);
        lsp::Diagnostic {
            code: Some(code.id().into()),
            related_information: Some(related).filter(|related| !related.is_empty()),
            tags: is_unused.then(|| vec![DiagnosticTag::Unnecessary]),
            ..diagnostic(range, severity, format!("{}: {detail}{fix}", code.summary()))
        }
    }

    fn uri(&self, place: Place) -> String {
        let path = Path::new(&self.sources.get(place.source).name);
        self.workspace.open_at(path).map_or_else(|| uri_of(path), |(document, _)| document.uri.clone())
    }

    fn range(&mut self, place: Place) -> lsp::Range {
        let Range { start, end } = place.range();
        let source = self.sources.get(place.source);
        if let Some((document, _)) = self.workspace.open_at(Path::new(&source.name)) {
            // The reader strips a byte order mark.
            let mark = document.text.len().saturating_sub(source.text.len());
            return document.range(&(start + mark..end + mark));
        }
        self.lines.entry(place.source).or_insert_with(|| LineIndex::new(&source.text)).range(&(start..end))
    }
}
