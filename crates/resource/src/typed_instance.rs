//! A decoded resource of a compiled kind.

use std::any::Any;

use uphold_model::{Claims, Difference, Map, Name, Need, Problem, Schema, Side, Value};

use super::property::Context;
use crate::defined::PredictedEffects;
use crate::error::Result;
use crate::fields::Fields;
use crate::findings::Findings;
use crate::found::{Found, Other};
use crate::host::{Act, Look, Reading};
use crate::instance::{Desired, Instance, Observation};
use crate::interest::Interest;
use crate::inverse::Previous;
use crate::resource::{OwnedPaths, Resource};
use crate::secret_text;
use crate::step::Step;

/// Applies many resources of kind `R` in one batch; `None` if the kind does not support it.
pub(crate) fn apply_together<R: Resource>(
    items: &[(&dyn Instance, &Observation)],
    host: &Act<'_>,
) -> Option<Vec<Result<()>>> {
    let typed: Option<Vec<_>> = items
        .iter()
        .map(|(instance, seen)| Some((instance.as_any().downcast_ref::<Typed<R>>()?, *seen)))
        .collect();
    let typed = typed?;
    if typed.iter().any(|(_, seen)| seen.other.is_some()) {
        return Some(typed.into_iter().map(|(typed, seen)| typed.apply(seen, host)).collect());
    }
    let pending: Vec<_> =
        typed.into_iter().map(|(typed, seen)| PendingStep::of(&typed.resource, seen)).collect();
    let steps: Vec<_> = pending.iter().map(|pending| (pending.resource, pending.step())).collect();
    R::apply_together(&steps, host)
}

/// The data that a [`Step`] borrows.
struct PendingStep<'a, R: Resource> {
    resource: &'a R,
    current: Option<&'a R::State>,
    /// `None` to remove it.
    goal: Option<(R::Goal, Option<R::Change>)>,
}

impl<'a, R: Resource> PendingStep<'a, R> {
    fn of(resource: &'a R, seen: &'a Observation) -> Self {
        let current = Typed::<R>::state(seen);
        let goal = || {
            let goal = resource.goal(current);
            let change = current.map(|current| resource.change(&goal, current));
            (goal, change)
        };
        Self { resource, current, goal: (seen.desired == Desired::Present).then(goal) }
    }

    fn step(&self) -> Step<'_, R> {
        match (&self.goal, self.current) {
            (Some((goal, Some(change))), Some(current)) => Step::Update { goal, change, current },
            (Some((goal, _)), _) => Step::Create { goal },
            (None, Some(current)) => Step::Remove { current },
            (None, None) => unreachable!("an absent resource that should be absent is converged"),
        }
    }
}

/// A decoded resource of a compiled kind.
struct Typed<R> {
    resource: R,
    /// Boxed because few resources have any.
    special: Option<Box<SpecialValues>>,
}

/// Properties whose values are unknown or secret.
#[derive(Clone)]
pub(crate) struct SpecialValues {
    /// Unknown properties, each with the resource that it waits for.
    pub(crate) unknown: Vec<(&'static str, Name)>,
    /// Properties that were computed from a secret.
    pub(crate) tainted: Vec<&'static str>,
}

impl SpecialValues {
    pub(crate) fn of(findings: &Findings) -> Option<Box<Self>> {
        let Findings { unknown, tainted, .. } = findings;
        let none = unknown.is_empty() && tainted.is_empty();
        (!none).then(|| Box::new(Self { unknown: unknown.clone(), tainted: tainted.clone() }))
    }
}

impl<R> Typed<R> {
    fn unknown(&self) -> &[(&'static str, Name)] {
        self.special.as_ref().map_or(&[], |special| &special.unknown)
    }

    fn tainted(&self) -> &[&'static str] {
        self.special.as_ref().map_or(&[], |special| &special.tainted)
    }
}

/// The result of decoding: the instance, unless it is invalid or has to wait, and the findings.
pub type Decoded = (Option<Box<dyn Instance>>, Findings);

/// Decodes a resource of kind `R`. No instance and no problem means that it depends on a value that is known after apply.
pub(crate) fn decode<R: Resource>(mut fields: Fields<'_>) -> Decoded {
    let decoded = R::decode(&mut fields);
    let converges = fields.converges();
    let mut findings = fields.finish(R::SCHEMA.kind, R::SCHEMA);
    let usable = decoded.filter(|_| findings.problems.is_empty() && !findings.waits(R::SCHEMA));
    let typed = usable.map(|resource| Typed { resource, special: SpecialValues::of(&findings) });
    // An unknown property counts as not set. When it is known, the resource is decoded again.
    if converges && findings.unknown.is_empty() {
        findings.problems.extend(typed.iter().flat_map(Typed::broken_rules));
    }
    let valid = typed.filter(|_| findings.problems.is_empty());
    (valid.map(|typed| Box::new(typed) as Box<dyn Instance>), findings)
}

/// A resource of kind `R` with this name and no other properties.
pub(crate) fn decode_named<R: Resource>(name: &str, context: &Context<'_>) -> Result<R, Problem> {
    let mut fields = Fields::for_reading(name, Vec::new(), *context);
    let decoded = R::decode(&mut fields);
    let findings = fields.finish(R::SCHEMA.kind, R::SCHEMA);
    let nothing = || Problem::new(None, "cannot be read by its name alone", "set its whole identity");
    decoded.ok_or_else(|| findings.problems.into_iter().next().unwrap_or_else(nothing))
}

impl<R: Resource> Typed<R> {
    /// The broken rules over several properties.
    fn broken_rules(&self) -> Vec<Problem> {
        let broken = self.resource.validate().err().map(Problem::into_all).unwrap_or_default();
        let hide = |mut problem: Problem| {
            if [&problem.rule, &problem.fix].into_iter().any(|text| self.may_show_secret(text)) {
                problem = problem.computed();
                "change the value".clone_into(&mut problem.fix);
            }
            if self.is_tainted() { problem.hidden() } else { problem }
        };
        broken.into_iter().map(hide).collect()
    }

    fn state(seen: &Observation) -> Option<&R::State> {
        seen.state.as_ref()?.downcast_ref()
    }

    /// The state, or something else that it replaces.
    fn load(&self, look: &Look<'_>) -> Result<(Option<R::State>, Option<Other>)> {
        let needs = |property: &str| {
            debug_assert!(R::SCHEMA.property(property).is_some(), "{} has no `{property}`", R::KIND);
            // An unknown value is compared, too: it differs, whatever it will be.
            let is_unknown = || self.unknown().iter().any(|(name, _)| **name == *property);
            self.resource.wants(property) || look.needs(property) || is_unknown()
        };
        match self.resource.load_whole(&look.needing(&needs))? {
            Found::Other(other) if self.resource.replaces_other() => Ok((None, Some(other))),
            found => Ok((found.state()?, None)),
        }
    }

    fn differ(&self, current: Option<&R::State>) -> (bool, Vec<Difference>) {
        let (same, mut differences) = match current {
            None if self.waits_for_goal() => (false, self.declared()),
            current => self.compare_known(current),
        };
        // The default does not count, because the unknown value will replace it.
        differences
            .retain(|difference| !self.unknown().iter().any(|(name, _)| **name == *difference.property));
        let unknown = self
            .unknown()
            .iter()
            .filter_map(|(property, waits)| self.unknown_difference(property, waits, current));
        differences.extend(unknown);
        let converged = same && differences.is_empty();
        (converged, differences)
    }

    fn compare_known(&self, current: Option<&R::State>) -> (bool, Vec<Difference>) {
        let goal = self.resource.goal(current);
        let same = current.is_some_and(|state| R::is_empty(&self.resource.change(&goal, state)));
        let mut differences = Vec::new();
        if !same {
            self.resource.differences(&goal, current, &mut differences);
        }
        (same, differences)
    }

    /// Whether no goal can be computed yet, because a required property is unknown.
    fn waits_for_goal(&self) -> bool {
        let needs = |property| R::SCHEMA.property(property).is_some_and(|p| p.need == Need::Required);
        self.unknown().iter().any(|(property, _)| needs(property))
    }

    /// The known properties of a resource that will be created.
    fn declared(&self) -> Vec<Difference> {
        let state = R::SCHEMA.all().into_iter().filter(|p| p.role.is_state());
        let set = state.filter_map(|p| Some((p.name, self.resource.value(p.name, None)?)));
        set.map(|(name, value)| Difference {
            property: name.into(),
            from: Side::Absent,
            to: Side::Value(value),
        })
        .collect()
    }

    /// An unknown state property always counts as different.
    fn unknown_difference(
        &self,
        property: &'static str,
        waits_for: &Name,
        current: Option<&R::State>,
    ) -> Option<Difference> {
        let from = match current {
            None => Side::Absent,
            Some(state) => Side::Value(self.resource.value(property, Some(state))?),
        };
        let to = Side::Value(Value::unknown(waits_for.clone()));
        Some(Difference { property: property.into(), from, to })
    }

    fn hide(&self, difference: Difference) -> Difference {
        let is_secret = self.tainted().contains(&&*difference.property)
            || self.secrets().any(|secret| secret_text::is_shown_by(&secret, &difference));
        if is_secret { difference.sensitive() } else { difference }
    }

    /// The values of the properties that were computed from a secret.
    fn secrets(&self) -> impl Iterator<Item = Value> {
        self.tainted().iter().filter_map(|property| self.resource.value(property, None))
    }
}

/// The difference of something else at the place of a resource.
fn replacement(other: &Other, desired: Desired) -> Difference {
    let to = match desired {
        Desired::Present => Side::Value(Value::text(other.expected())),
        Desired::Absent => Side::Absent,
    };
    Difference { property: "type".into(), from: Side::Value(Value::text(other.words())), to }
}

impl<R: Resource> Instance for Typed<R> {
    fn schema(&self) -> &'static Schema {
        R::SCHEMA
    }

    fn prepare(&self, look: &Look<'_>) -> Result<Option<Box<dyn Instance>>> {
        let wishes = self.resource.prepare(look)?;
        let secret = look.is_sensitive();
        if R::is_declared(&wishes) && !secret && !self.resource.produces() {
            return Ok(None);
        }
        let mut resource = self.resource.complete(wishes);
        if secret {
            resource.restrict();
        }
        Ok(Some(Box::new(Self { resource, special: self.special.clone() })))
    }

    /// Hidden if any property is a secret, because the content may be derived from it.
    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        let hide = |value: Value| if self.tainted().is_empty() { value } else { value.sensitive() };
        self.resource.inputs(desired, host).into_iter().map(|(name, value)| (name, hide(value))).collect()
    }

    fn look(&self, look: &Look<'_>) -> Result<Observation> {
        let (state, other) = self.load(look)?;
        Ok(Observation { other: other.map(Box::new), ..Observation::of_state(state) })
    }

    fn observe(&self, desired: Desired, host: &Reading<'_>) -> Result<Observation> {
        let look = Look::to(desired, host);
        let (state, other) = self.load(&look)?;
        if desired == Desired::Present && state.is_none() && other.is_none() {
            self.resource.check_create(&look)?;
        }
        let (converged, mut differences) = match desired {
            Desired::Present => self.differ(state.as_ref()),
            Desired::Absent => {
                let mut losses = Vec::new();
                if let Some(state) = &state {
                    R::losses(state, &mut losses);
                }
                (state.is_none() && other.is_none(), losses)
            }
        };
        if let Some(other) = &other {
            differences.insert(0, replacement(other, desired));
        }
        Ok(Observation {
            desired,
            exists: state.is_some(),
            converged,
            repeats: false,
            differences: differences.into_iter().map(|difference| self.hide(difference)).collect(),
            inputs: Map::new(),
            state: state.map(|state| Box::new(state) as _),
            other: other.map(Box::new),
        })
    }

    fn compare(&self, seen: &Observation) -> Vec<Difference> {
        let (_, differences) = self.differ(Self::state(seen));
        differences.into_iter().map(|difference| self.hide(difference)).collect()
    }

    fn previous(&self, seen: &Observation) -> Previous {
        if let Some(other) = &seen.other {
            return Previous::none(format!("{} was at its path, and is not kept", other.words()));
        }
        if seen.desired == Desired::Absent && !seen.exists {
            return Previous::VALUES;
        }
        self.resource.previous(PendingStep::of(&self.resource, seen).step())
    }

    fn apply(&self, seen: &Observation, host: &Act<'_>) -> Result<()> {
        match &seen.other {
            Some(other) if seen.desired == Desired::Absent => return self.resource.remove_other(other, host),
            _ if seen.desired == Desired::Absent && !seen.exists => return Ok(()),
            _ => {}
        }
        self.resource.apply(PendingStep::of(&self.resource, seen).step(), host)
    }

    fn ends_with_write(&self) -> bool {
        self.resource.ends_with_write()
    }

    fn predict_verb(&self, verb: &str, host: &Reading<'_>) -> Result<Option<PredictedEffects>> {
        Ok((!self.resource.is_verb_due(verb, host)?).then(PredictedEffects::default))
    }

    fn run_verb(&self, verb: &str, host: &Act<'_>) -> Result<()> {
        self.resource.run_verb(verb, host)
    }

    fn value(&self, property: &str, seen: Option<&Observation>) -> Option<Value> {
        let state = seen.and_then(Self::state);
        let value = self.resource.value(property, state)?;
        let is_secret = self.tainted().contains(&property)
            || self.secrets().any(|secret| secret_text::shows(&value, &secret));
        Some(if is_secret { value.sensitive() } else { value })
    }

    fn is_tainted(&self) -> bool {
        !self.tainted().is_empty()
    }

    fn tainted_properties(&self) -> &[&'static str] {
        self.tainted()
    }

    fn may_show_secret(&self, text: &str) -> bool {
        !self.tainted().is_empty() && {
            let text = Value::from(text);
            self.secrets().any(|secret| secret_text::shows(&text, &secret))
        }
    }

    fn claims(&self) -> Claims {
        let mut claims = Claims::default();
        self.resource.claims(&mut claims);
        claims
    }

    fn owned_paths(&self) -> Vec<OwnedPaths> {
        let mut found = Vec::new();
        self.resource.owned_paths(&mut found);
        found
    }

    fn interests(&self, host: &Reading<'_>) -> Vec<Interest> {
        let mut interests = Vec::new();
        self.resource.interests(host, &mut interests);
        interests
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
