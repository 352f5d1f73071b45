//! Failures, as they are reported.

use std::any::Any;
use std::path::Path;
use std::time::Duration;

use uphold_model::{Diagnostic, Difference, Place, ResourceId};
use uphold_resource::{Error, ErrorKind, Instance, Observation};

const STILL_DIFFERENT: &str = "it still differs after it was applied";

/// An error with its hint, if there is one.
pub(crate) fn with_hint(error: Error, hint: Option<String>) -> Error {
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// Why a visit failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The kind of failure.
    pub kind: ErrorKind,
    /// The attempt that failed.
    pub message: String,
    /// Why it failed, outermost first. Empty for a sensitive resource.
    pub causes: Vec<String>,
    /// Advice.
    pub hint: Option<String>,
    /// The differences that are left, if the change had no effect.
    pub differences: Vec<Difference>,
    /// The place in the configuration, if it is more precise than the whole resource.
    pub place: Option<Place>,
}

impl Failure {
    /// A failure without causes and hint.
    pub(crate) fn new(kind: ErrorKind, message: String) -> Self {
        Self { kind, message, causes: Vec::new(), hint: None, differences: Vec::new(), place: None }
    }

    /// A problem of the configuration that was only found in the run, at its own place or at `place`.
    pub(crate) fn from_diagnostic(diagnostic: &Diagnostic, place: Option<Place>) -> Self {
        let failure = Self::new(ErrorKind::Invalid, diagnostic.detail.clone());
        Self { hint: diagnostic.fix.clone(), place: diagnostic.place.or(place), ..failure }
    }

    /// An error of a kind, or of the host.
    pub(crate) fn from_error(error: &Error) -> Self {
        let mut causes = Vec::new();
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            causes.push(cause.to_string());
            source = cause.source();
        }
        let hint = error.advice().map(str::to_owned);
        Self { causes, hint, ..Self::new(error.kind(), error.to_string()) }
    }

    /// The resource differs after its change was applied.
    pub(crate) fn still_different(instance: &dyn Instance, after: &Observation) -> Self {
        let hint = instance.still_differs_hint(after).unwrap_or_else(|| {
            "either something else changes it, or the kind does not do what it says".to_owned()
        });
        let failure = Self::new(ErrorKind::Failed, STILL_DIFFERENT.to_owned());
        Self { hint: Some(hint), differences: after.differences.clone(), ..failure }
    }

    /// It was as declared, until another resource changed it in the same run.
    pub(crate) fn overwritten(by: &ResourceId) -> Self {
        let hint =
            "declare what both change in one of the two resources only: each run would change it twice";
        let failure = Self::new(ErrorKind::Failed, format!("it was changed again by {by}"));
        Self { hint: Some(hint.to_owned()), ..failure }
    }

    /// The same for a path that the resource wrote without a claim, so that the two may have been visited at the same time.
    pub(crate) fn overwritten_unclaimed(by: &ResourceId) -> Self {
        let hint =
            "a kind that edits a part of a file has to claim it (`edits`): then one change follows the other";
        Self { hint: Some(hint.to_owned()), ..Self::overwritten(by) }
    }

    /// Another resource manages the same file by its real name.
    pub(crate) fn other_name(path: &Path, real: &Path, manager: &ResourceId) -> Self {
        let (path, real) = (path.display(), real.display());
        let hint = format!("declare {real} once: each run would change it twice");
        let message = format!("{path} is {real}, which {manager} manages, too");
        Self { hint: Some(hint), ..Self::new(ErrorKind::Rejected, message) }
    }

    /// It would wait for a visit that waits for it.
    pub(crate) fn own_consequence(holder: &ResourceId) -> Self {
        let hint = "notify it delayed: then it runs when the other is over".to_owned();
        let message = format!("{holder} waits for it, and is its own consequence");
        Self { hint: Some(hint), ..Self::new(ErrorKind::Rejected, message) }
    }

    /// Whether the change was applied and the resource still differs: it was changed again since, or the kind is wrong.
    pub(crate) fn is_still_different(&self) -> bool {
        self.message == STILL_DIFFERENT
    }

    /// The resource was not ready before its deadline.
    pub(crate) fn not_ready(deadline: Duration, reason: &str) -> Self {
        let failure = Self::new(ErrorKind::TimedOut, format!("not ready after {deadline:?}: {reason}"));
        Self { hint: Some("raise its `timeout`, or see why it takes so long".to_owned()), ..failure }
    }

    /// The visit took longer than its time limit.
    pub(crate) fn timed_out() -> Self {
        let failure = Self::new(ErrorKind::TimedOut, "it took longer than its `timeout`".to_owned());
        Self { hint: Some("raise its `timeout`, or see why it takes so long".to_owned()), ..failure }
    }

    /// The failure as it may be shown where a secret is involved: only its kind, since any word of the message may be a
    /// value.
    pub(crate) fn hidden(self) -> Self {
        let differences = self.differences.into_iter().map(Difference::sensitive).collect();
        let message = format!("{}; what exactly is hidden, because a secret is involved", self.kind.words());
        Self { differences, ..Self::new(self.kind, message) }
    }

    /// A defect of the kind.
    pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let message = "the kind panicked, which is a defect of the kind".to_owned();
        let causes = text.map(str::to_owned).into_iter().collect();
        Self { causes, ..Self::new(ErrorKind::Defect, message) }
    }
}
