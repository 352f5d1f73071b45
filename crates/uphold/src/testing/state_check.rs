//! Whether everything else became of the resources that was expected.

use uphold_config::WrittenTarget;
use uphold_engine::{Failure, Program, Verdict};
use uphold_model::{Code, Diagnostic, Place, ResourceId, SENSITIVE, closest};

use super::account::{Account, Finished, whole};
use super::change_check::{is_same, texts};
use super::expectation::{Expectation, Fate};
use super::mismatch::Mismatch;
use super::section::revealed;

/// What is said of a resource that is not there to be looked at.
pub(super) const SWITCHED_OFF: &str = "what is named here is switched off: its `when` is false";

/// A run, beside what is expected of it.
pub(super) struct Comparison<'a> {
    pub(super) expectation: &'a Expectation,
    pub(super) program: &'a Program,
    pub(super) account: &'a Account<'a>,
    /// Where the test is written.
    pub(super) place: Option<Place>,
    pub(super) mismatches: Vec<Mismatch>,
}

impl<'a> Comparison<'a> {
    pub(super) fn tell(&mut self, code: Code, detail: String, place: impl Into<Option<Place>>) {
        self.mismatches.push(Diagnostic::new(code, detail).at(place).into());
    }

    /// The same problem, and where the resource is declared.
    pub(super) fn declared(&self, id: &ResourceId, error: Diagnostic) -> Diagnostic {
        let set = self.program.set();
        let place = set.find(id).and_then(|index| set.entry(index).declaration.place);
        place.into_iter().fold(error, |error, place| error.and_at(place, "declared here"))
    }

    /// The declared resources that a target names. Others are reported.
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

    /// What should be unchanged, not wanted, failed or skipped is.
    pub(super) fn fates(&mut self) {
        let expectation = self.expectation;
        for (fate, target) in &expectation.fates {
            let (wanted, is_it): (_, fn(&Verdict) -> bool) = match fate {
                Fate::Change(_) => continue,
                // What is switched off is not wanted, and is not there to be declared.
                Fate::Unwanted if target.ids.is_empty() => continue,
                Fate::Unwanted => ("not be wanted", |verdict| matches!(verdict, Verdict::NotWanted(_))),
                Fate::Unchanged => ("be unchanged", |verdict| matches!(verdict, Verdict::Unchanged)),
                Fate::Fails => {
                    ("fail", |verdict| matches!(verdict, Verdict::Failed(_) | Verdict::Ignored(_)))
                }
                Fate::Skips => ("be skipped", |verdict| matches!(verdict, Verdict::Skipped(_))),
            };
            if target.ids.is_empty() {
                self.tell(Code::WrongOutcome, SWITCHED_OFF.to_owned(), target.place);
            }
            for id in self.resolved(target) {
                let all: Vec<Finished<'_>> = self.account.of(id).collect();
                if all.is_empty() || !all.iter().all(|one| is_it(one.verdict)) {
                    let detail = format!("{id} should {wanted}; it {}", self.found(id));
                    self.tell(Code::WrongOutcome, detail, target.place);
                }
            }
        }
    }

    /// What went wrong was expected, and what was expected to go wrong did.
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
        self.missing_failures(&texts);
    }

    fn is_listed(&self, resource: &ResourceId) -> bool {
        let fails = self.expectation.fates.iter().filter(|(fate, _)| *fate == Fate::Fails);
        fails.flat_map(|(_, target)| &target.ids).any(|id| id == resource)
    }

    fn unexpected_failure(&mut self, text: &str, resource: Option<&ResourceId>, failure: &Failure) {
        let error = Diagnostic::new(Code::UnexpectedFailure, text).at(self.place);
        let error = match (failure.place, resource) {
            (Some(place), _) => error.and_at(place, "this"),
            (None, Some(resource)) => self.declared(resource, error),
            (None, None) => error,
        };
        self.mismatches.push(failure.hint.iter().fold(error, Diagnostic::fix).into());
    }

    fn missing_failures(&mut self, found: &[String]) {
        self.mismatches.extend(missing_failures(self.expectation, found).map(Mismatch::from));
    }

    /// Outputs are as expected; others do not matter.
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
                // That is told as a failure.
                Some(Err(_)) => {}
                None => {
                    let names = self.account.output_names().join(", ");
                    let error =
                        Diagnostic::new(Code::UnknownOutput, format!("there is no output {name}")).at(*place);
                    let has = if names.is_empty() {
                        "there are none".to_owned()
                    } else {
                        format!("the outputs are: {names}")
                    };
                    self.mismatches.push(error.fix(has).into());
                }
            }
        }
    }
}

/// The failures that were expected and are not among these.
pub(super) fn missing_failures(
    expectation: &Expectation,
    found: &[String],
) -> impl Iterator<Item = Diagnostic> {
    let shown = match found {
        [] => "nothing failed".to_owned(),
        some => format!("what failed is: {}", some.join("; ")),
    };
    let missing = |(part, place): &(String, Place)| {
        let is_there = found.iter().any(|text| text.contains(part));
        let error = || Diagnostic::new(Code::MissingFailure, format!("nothing fails with {part:?}; {shown}"));
        (!is_there).then(|| error().at(*place))
    };
    expectation.failures.iter().filter_map(missing).collect::<Vec<_>>().into_iter()
}
