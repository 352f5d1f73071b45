//! What became of each resource in a run.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uphold_engine::{Cause, ChangeKind, Event, EventKind, Failure, Verdict};
use uphold_model::{Action, Difference, ResourceId, Value};

/// What a run came to.
pub(super) struct Account<'a> {
    finished: Vec<Finished<'a>>,
    by_resource: HashMap<&'a ResourceId, Vec<usize>>,
    outputs: BTreeMap<&'a str, Result<&'a Value, &'a Failure>>,
}

/// An action that is done with.
#[derive(Clone, Copy)]
pub(super) struct Finished<'a> {
    pub(super) resource: &'a ResourceId,
    pub(super) action: &'a Action,
    pub(super) cause: &'a Cause,
    pub(super) verdict: &'a Verdict,
}

impl<'a> Account<'a> {
    pub(super) fn new(events: &'a [Event]) -> Self {
        let mut account =
            Self { finished: Vec::new(), by_resource: HashMap::new(), outputs: BTreeMap::new() };
        for event in events {
            match &event.kind {
                EventKind::Finished { resource, action, cause, verdict, .. } => {
                    account.by_resource.entry(resource).or_default().push(account.finished.len());
                    account.finished.push(Finished { resource, action, cause, verdict });
                }
                EventKind::Output { name, value } => {
                    account.outputs.insert(name, value.as_ref().map_err(|failure| &**failure));
                }
                _ => {}
            }
        }
        account
    }

    /// Everything, in the order in which it was done.
    pub(super) fn all(&self) -> impl Iterator<Item = Finished<'a>> {
        self.finished.iter().copied()
    }

    /// What was done with this resource, in order.
    pub(super) fn of(&self, resource: &ResourceId) -> impl Iterator<Item = Finished<'a>> {
        self.by_resource.get(resource).into_iter().flatten().map(|number| self.finished[*number])
    }

    /// An output, or why there is none.
    pub(super) fn output(&self, name: &str) -> Option<Result<&'a Value, &'a Failure>> {
        self.outputs.get(name).copied()
    }

    /// The names of the outputs, sorted.
    pub(super) fn output_names(&self) -> Vec<&'a str> {
        self.outputs.keys().copied().collect()
    }

    /// The files that may hold a secret.
    pub(super) fn secrets(&self) -> Secrets<'a> {
        let is_secret = |one: &Finished<'_>| match one.verdict {
            Verdict::Changed(change) | Verdict::WouldChange(change) => {
                change.differences.iter().any(Difference::is_sensitive)
            }
            _ => false,
        };
        Secrets(self.all().filter(is_secret).map(|one| &**one.resource.label()).collect())
    }

    /// What went wrong, with the resource or the output that it went wrong with.
    pub(super) fn failures(&self) -> Vec<(String, Option<&'a ResourceId>, &'a Failure)> {
        let resources = self.all().filter_map(|one| match one.verdict {
            Verdict::Failed(failure) => Some((one.resource.to_string(), Some(one.resource), failure)),
            _ => None,
        });
        let outputs = self.outputs.iter().filter_map(|(name, value)| match value {
            Err(failure) => Some((format!("output {name}"), None, *failure)),
            Ok(_) => None,
        });
        resources.chain(outputs).collect()
    }
}

/// The labels of the resources that were changed in something secret.
pub(super) struct Secrets<'a>(BTreeSet<&'a str>);

impl Secrets<'_> {
    /// Whether one of them may be this path. A label that is no path does not tell, so it counts for all.
    pub(super) fn may_be_at(&self, path: &str) -> bool {
        self.0.contains(path) || self.0.iter().any(|label| !label.starts_with('/'))
    }
}

impl Finished<'_> {
    /// The sort of a change that was made, or would be; none if there is none.
    pub(super) fn change(&self) -> Option<Option<ChangeKind>> {
        match self.verdict {
            Verdict::Changed(change) | Verdict::WouldChange(change) => Some(Some(change.kind)),
            // Which sort only the run will tell.
            Verdict::MayChange { .. } => Some(None),
            _ => None,
        }
    }

    /// What became of it: `was created`.
    pub(super) fn words(&self) -> String {
        let verb = match self.action {
            // `ran run` would say it twice.
            Action::Verb(verb) if &**verb != "run" => format!(" {verb}"),
            _ => String::new(),
        };
        match self.verdict {
            Verdict::Unchanged => "is as declared".to_owned(),
            Verdict::Changed(change) => match change.kind {
                ChangeKind::Create => "was created".to_owned(),
                ChangeKind::Update => "was updated".to_owned(),
                ChangeKind::Remove => "was removed".to_owned(),
                ChangeKind::Run => format!("ran{verb}"),
            },
            Verdict::WouldChange(change) => match change.kind {
                ChangeKind::Create => "would be created".to_owned(),
                ChangeKind::Update => "would be updated".to_owned(),
                ChangeKind::Remove => "would be removed".to_owned(),
                ChangeKind::Run => format!("would run{verb}"),
            },
            Verdict::MayChange { waits_for, .. } => format!("may change, and waits for {waits_for}"),
            Verdict::Differs(_) => "differs, and is only audited".to_owned(),
            Verdict::Failed(failure) => format!("failed: {}", failure.message),
            Verdict::Ignored(failure) => format!("failed, which is ignored: {}", failure.message),
            Verdict::Skipped(_) => "was skipped".to_owned(),
            Verdict::NotWanted(_) => "was not wanted".to_owned(),
        }
    }
}

/// What was attempted, and why it failed.
pub(super) fn whole(failure: &Failure) -> String {
    std::iter::once(&failure.message)
        .chain(&failure.causes)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(": ")
}
