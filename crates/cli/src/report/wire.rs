//! Our types as objects of the formats that programs read.

use std::time::SystemTime;

use jiff::Timestamp;
use uphold::model::{Diagnostic, Place};
use uphold::{Change, ChangeKind, Failure, Lines, Summary};
use uphold_wire as wire;

use crate::error::CliError;

/// RFC 3339, in UTC. A clock outside of what that can say is no reason to stop.
pub(crate) fn timestamp(time: SystemTime) -> String {
    format!("{:.3}", Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// What was or would be done.
pub(crate) fn change(change: &Change) -> wire::Change {
    let kind = match change.kind {
        ChangeKind::Create => "create",
        ChangeKind::Update => "update",
        ChangeKind::Remove => "remove",
        ChangeKind::Run => "run",
    };
    wire::Change {
        differences: change.differences.iter().map(Into::into).collect(),
        kind: kind.into(),
        unknown: change.unknown.iter().map(|name| (*name).into()).collect(),
    }
}

/// What went wrong.
pub(crate) fn failure(failure: &Failure, lines: &mut Lines<'_>) -> wire::Failure {
    wire::Failure {
        causes: failure.causes.clone(),
        differences: failure.differences.iter().map(Into::into).collect(),
        hint: failure.hint.clone(),
        kind: failure.kind.word().into(),
        message: failure.message.clone(),
        place: failure.place.map(|at| place(at, lines)),
    }
}

/// A problem of the configuration.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, lines: &mut Lines<'_>) -> wire::Diagnostic {
    let related = diagnostic.related.iter();
    wire::Diagnostic {
        code: Some(diagnostic.code.id().to_owned()),
        detail: diagnostic.detail.clone(),
        fix: diagnostic.fix.clone(),
        related: related
            .map(|other| wire::Related { label: other.label.clone(), place: place(other.place, lines) })
            .collect(),
        place: diagnostic.place.map(|at| place(at, lines)),
        severity: wire::severity(diagnostic.severity()),
        summary: diagnostic.summary().to_owned(),
    }
}

/// An error without a place, in the same form.
pub(crate) fn error(error: &CliError) -> wire::Diagnostic {
    let detail: Vec<&str> =
        std::iter::once(&error.message).chain(&error.causes).map(String::as_str).collect();
    wire::Diagnostic {
        code: None,
        detail: detail.join(": "),
        fix: error.hint.clone(),
        place: None,
        related: Vec::new(),
        severity: "error".into(),
        summary: "cannot run".to_owned(),
    }
}

/// Where something was written.
pub(crate) fn place(place: Place, lines: &mut Lines<'_>) -> wire::Place {
    let at = lines.position(place);
    let Place { start, end, .. } = place;
    wire::Place { column: at.column, end, file: lines.name(place).to_owned(), line: at.line, start }
}

/// The numbers of a run.
pub(crate) fn summary(summary: &Summary) -> wire::Summary {
    wire::Summary {
        changed: summary.changed,
        created: summary.created,
        differ: summary.differ,
        failed: summary.failed,
        ignored: summary.ignored,
        may_change: summary.may_change,
        not_wanted: summary.not_wanted,
        ok: summary.ok,
        ran: summary.ran,
        removed: summary.removed,
        skipped: summary.skipped,
        updated: summary.updated,
    }
}
