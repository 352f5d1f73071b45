//! Compares a run with the expected outcome of its resources.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uphold_config::WrittenTarget;
use uphold_engine::{Cause, ChangeKind, Event, EventKind, Failure, Program, Verdict};
use uphold_model::{Action, Code, Diagnostic, Difference, Place, ResourceId, SENSITIVE, Value, closest};
use uphold_resource::ErrorKind;

use super::change_check::{is_same, texts};
use super::expectation::{Expectation, Fate};
use super::section::revealed;
use super::test_file::Mismatch;

/// The message about a resource that is not declared, because its `when` is false.
pub(super) const DISABLED: &str = "this resource is skipped: its `when` is false";

/// The hint for a failure because something is missing.
const GIVEN: &str = "in a test, the machine has only what `given` defines: add the missing file, account or command \
                     there; a service needs its unit, `file \"/etc/systemd/system/NAME.service\" {}`";

/// A run and its expectations.
pub(super) struct Comparison<'a> {
    pub(super) expectation: &'a Expectation,
    pub(super) program: &'a Program,
    pub(super) account: &'a Account<'a>,
    /// The location of the test.
    pub(super) place: Option<Place>,
    pub(super) mismatches: Vec<Mismatch>,
}

impl<'a> Comparison<'a> {
    pub(super) fn report(&mut self, code: Code, detail: String, place: impl Into<Option<Place>>) {
        self.mismatches.push(Diagnostic::new(code, detail).at(place).into());
    }

    /// The declared resources of a target. Others are reported.
    pub(super) fn resolved<'t>(&mut self, target: &'t WrittenTarget) -> Vec<&'t ResourceId> {
        let set = self.program.set();
        let (declared, others): (Vec<_>, Vec<_>) = target.ids.iter().partition(|id| set.find(id).is_some());
        for id in others {
            let names: Vec<String> = set.iter().map(|(_, one)| one.declaration.id.to_string()).collect();
            let fix = match closest(&id.to_string(), names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean {near}?"),
                None => "name one that the configuration declares".to_owned(),
            };
            let error = Diagnostic::new(Code::UnknownResource, format!("{id} is not declared"));
            self.mismatches.push(error.at(target.place).fix(fix).into());
        }
        declared
    }

    /// Checks the resources that are expected to be unchanged, disabled, failed or skipped.
    pub(super) fn fates(&mut self) {
        let expectation = self.expectation;
        for (fate, target) in &expectation.fates {
            let (wanted, is_it): (_, fn(&Verdict) -> bool) = match fate {
                Fate::Change(_) => continue,
                // A disabled resource is not declared.
                Fate::Unwanted if target.ids.is_empty() => continue,
                Fate::Unwanted => {
                    ("be skipped by a condition", |verdict| matches!(verdict, Verdict::NotWanted(_)))
                }
                Fate::Unchanged => ("be unchanged", |verdict| matches!(verdict, Verdict::Unchanged)),
                Fate::Fails => {
                    ("fail", |verdict| matches!(verdict, Verdict::Failed(_) | Verdict::Ignored(_)))
                }
                Fate::Skips => ("be skipped", |verdict| matches!(verdict, Verdict::Skipped(_))),
            };
            if target.ids.is_empty() {
                self.report(Code::WrongOutcome, DISABLED.to_owned(), target.place);
            }
            for id in self.resolved(target) {
                let all: Vec<Finished<'_>> = self.account.of(id).collect();
                let count = all.iter().filter(|one| is_it(one.verdict)).count();
                // One failed action is a failure of the resource, whatever its others found.
                let needed = if *fate == Fate::Fails { 1 } else { all.len() };
                if all.is_empty() || count < needed {
                    let detail = format!("{id} should {wanted}; it {}", self.found(id));
                    self.report(Code::WrongOutcome, detail, target.place);
                }
            }
        }
    }

    /// Checks that exactly the expected failures happened.
    pub(super) fn failures(&mut self) {
        let failures = self.account.failures();
        for (name, resource, failure) in &failures {
            let text = format!("{name}: {}", whole(failure));
            let listed = resource.is_some_and(|resource| self.is_listed(resource));
            if !listed && !self.expectation.failures.iter().any(|(part, _)| text.contains(part)) {
                self.unexpected_failure(&text, *resource, failure);
            }
        }
        let texts: Vec<String> =
            failures.iter().map(|(name, _, failure)| format!("{name}: {}", whole(failure))).collect();
        self.mismatches.extend(missing_failures(self.expectation, &texts).map(Mismatch::from));
    }

    fn is_listed(&self, resource: &ResourceId) -> bool {
        let fails = self.expectation.fates.iter().filter(|(fate, _)| *fate == Fate::Fails);
        fails.flat_map(|(_, target)| &target.ids).any(|id| id == resource)
    }

    fn unexpected_failure(&mut self, text: &str, resource: Option<&ResourceId>, failure: &Failure) {
        let error = Diagnostic::new(Code::UnexpectedFailure, text).at(self.place);
        let error = match (failure.place, resource) {
            (Some(place), _) => error.and_at(place, "this"),
            (None, Some(resource)) => with_declaration(self.program, resource, error),
            (None, None) => error,
        };
        // The hint of the kind is for a real machine: nothing can be installed or mounted in memory.
        let hint = if failure.kind == ErrorKind::Missing { Some(GIVEN) } else { failure.hint.as_deref() };
        self.mismatches.push(hint.into_iter().fold(error, Diagnostic::fix).into());
    }

    /// Checks the expected outputs; others are ignored.
    pub(super) fn outputs(&mut self) {
        let Some((wanted, place)) = &self.expectation.outputs else { return };
        for (name, wanted) in wanted {
            match self.account.output(name) {
                Some(Ok(found)) if is_same(wanted, &revealed(found)) => {}
                Some(Ok(found)) => {
                    let hidden = found.is_sensitive();
                    let wanted_shown = if hidden { SENSITIVE.to_owned() } else { wanted.to_string() };
                    let detail = format!("output {name} should be {wanted_shown}; it is {found}");
                    let error = Diagnostic::new(Code::WrongValue, detail).at(*place);
                    self.mismatches.push(Mismatch { texts: texts(wanted, found, hidden), ..error.into() });
                }
                // It is reported as a failure.
                Some(Err(_)) => {}
                None => {
                    let names = self.account.output_names().join(", ");
                    let error = Diagnostic::new(Code::UnknownOutput, format!("output {name} does not exist"))
                        .at(*place);
                    let none = "the configuration has no outputs".to_owned();
                    let has = if names.is_empty() { none } else { format!("the outputs are: {names}") };
                    self.mismatches.push(error.fix(has).into());
                }
            }
        }
    }
}

/// Adds the location of the declaration to an error.
pub(super) fn with_declaration(program: &Program, id: &ResourceId, error: Diagnostic) -> Diagnostic {
    let set = program.set();
    let place = set.find(id).and_then(|index| set.entry(index).declaration.place);
    place.into_iter().fold(error, |error, place| error.and_at(place, "declared here"))
}

/// The expected failures that are not among these.
pub(super) fn missing_failures(
    expectation: &Expectation,
    found: &[String],
) -> impl Iterator<Item = Diagnostic> {
    let shown = match found {
        [] => "nothing failed".to_owned(),
        some => format!("the failures are: {}", some.join("; ")),
    };
    let missing = |(part, place): &(String, Place)| {
        let is_there = found.iter().any(|text| text.contains(part));
        let error = || Diagnostic::new(Code::MissingFailure, format!("nothing fails with {part:?}; {shown}"));
        (!is_there).then(|| error().at(*place))
    };
    expectation.failures.iter().filter_map(missing).collect::<Vec<_>>().into_iter()
}

/// The results of a run, by resource and output.
#[derive(Default)]
pub(super) struct Account<'a> {
    finished: Vec<Finished<'a>>,
    by_resource: HashMap<&'a ResourceId, Vec<usize>>,
    messages: HashMap<&'a ResourceId, Vec<&'a str>>,
    outputs: BTreeMap<&'a str, Result<&'a Value, &'a Failure>>,
}

/// A finished action.
#[derive(Clone, Copy)]
pub(super) struct Finished<'a> {
    pub(super) resource: &'a ResourceId,
    pub(super) action: &'a Action,
    pub(super) cause: &'a Cause,
    pub(super) verdict: &'a Verdict,
}

impl<'a> Account<'a> {
    pub(super) fn new(events: &'a [Event]) -> Self {
        let mut account = Self::default();
        for event in events {
            match &event.kind {
                EventKind::Finished { resource, action, cause, verdict, .. } => {
                    account.by_resource.entry(resource).or_default().push(account.finished.len());
                    account.finished.push(Finished { resource, action, cause, verdict });
                }
                EventKind::Message { resource, text, .. } => {
                    account.messages.entry(resource).or_default().push(text);
                }
                EventKind::Output { name, value } => {
                    account.outputs.insert(name, value.as_ref().map_err(|failure| &**failure));
                }
                _ => {}
            }
        }
        account
    }

    /// All finished actions, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = Finished<'a>> {
        self.finished.iter().copied()
    }

    /// The finished actions of a resource, in order.
    pub(super) fn of(&self, resource: &ResourceId) -> impl Iterator<Item = Finished<'a>> {
        self.by_resource.get(resource).into_iter().flatten().map(|number| self.finished[*number])
    }

    /// What a kind reported about a resource, such as the reason why a verb has nothing to do.
    pub(super) fn messages(&self, resource: &ResourceId) -> &[&'a str] {
        self.messages.get(resource).map_or(&[], Vec::as_slice)
    }

    /// An output, or its failure.
    pub(super) fn output(&self, name: &str) -> Option<Result<&'a Value, &'a Failure>> {
        self.outputs.get(name).copied()
    }

    /// The names of the outputs, sorted.
    pub(super) fn output_names(&self) -> Vec<&'a str> {
        self.outputs.keys().copied().collect()
    }

    /// The files that may contain a secret.
    pub(super) fn secrets(&self) -> Secrets<'a> {
        let is_secret = |one: &Finished<'_>| match one.verdict {
            Verdict::Changed(change) | Verdict::WouldChange(change) => {
                change.differences.iter().any(Difference::is_sensitive)
            }
            _ => false,
        };
        Secrets(self.all().filter(is_secret).map(|one| &**one.resource.label()).collect())
    }

    /// The failures, with their resource or output.
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

/// The labels of resources with a changed secret.
pub(super) struct Secrets<'a>(BTreeSet<&'a str>);

impl Secrets<'_> {
    /// Whether this path may contain a secret. A label that is no path may mean any path.
    pub(super) fn may_be_at(&self, path: &str) -> bool {
        self.0.contains(path) || self.0.iter().any(|label| !label.starts_with('/'))
    }
}

impl Finished<'_> {
    /// The kind of a change; `Some(None)` if it is unknown.
    pub(super) fn change(&self) -> Option<Option<ChangeKind>> {
        match self.verdict {
            Verdict::Changed(change) | Verdict::WouldChange(change) => Some(Some(change.kind)),
            Verdict::MayChange { .. } => Some(None),
            _ => None,
        }
    }

    /// The outcome in words, such as `was created`.
    pub(super) fn words(&self) -> String {
        let verb = match self.action {
            // Not `ran run`.
            Action::Verb(verb) if &**verb != "run" => format!(" {verb}"),
            _ => String::new(),
        };
        match self.verdict {
            Verdict::Unchanged => match self.action {
                Action::Verb(verb) => format!("had nothing to do for `{verb}`"),
                _ => "is as declared".to_owned(),
            },
            Verdict::Changed(change) => match change.kind {
                ChangeKind::Create => "was created".to_owned(),
                ChangeKind::Update => "was updated".to_owned(),
                ChangeKind::Remove => "was removed".to_owned(),
                ChangeKind::Run => format!("ran{verb}"),
            },
            Verdict::PutBack(_) => "was put back".to_owned(),
            Verdict::WouldChange(change) => match change.kind {
                ChangeKind::Create => "would be created".to_owned(),
                ChangeKind::Update => "would be updated".to_owned(),
                ChangeKind::Remove => "would be removed".to_owned(),
                ChangeKind::Run => format!("would run{verb}"),
            },
            Verdict::MayChange { waits_for, .. } => format!("may change, depending on {waits_for}"),
            Verdict::Differs(_) => "differs, and is only audited".to_owned(),
            Verdict::Paused(..) => "differs, and is paused".to_owned(),
            Verdict::Failed(failure) => format!("failed: {}", failure.message),
            Verdict::Ignored(failure) => format!("failed, which is ignored: {}", failure.message),
            Verdict::Skipped(_) => "was skipped".to_owned(),
            Verdict::NotWanted(_) => "was skipped by a condition".to_owned(),
        }
    }
}

/// The message with its causes.
fn whole(failure: &Failure) -> String {
    failure.causes.iter().fold(failure.message.clone(), |all, cause| format!("{all}: {cause}"))
}
