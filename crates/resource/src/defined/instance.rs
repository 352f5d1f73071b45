//! A resource of a kind that is defined at run time, as the engine sees it.

use std::any::Any;
use std::sync::Arc;

use uphold_model::{Claims, Difference, Map, Name, PropertySchema, Role, Schema, Side, Value};

use super::wishes::Wishes;
use super::{BatchItem, Definition, PredictedEffects, accept};
use crate::error::{Error, ErrorKind, Result};
use crate::fields::Fields;
use crate::host::{Act, Look, Reading};
use crate::instance::{Desired, Instance, Observation};
use crate::interest::Interest;
use crate::inverse::Previous;
use crate::property::Context;
use crate::resource::OwnedPaths;
use crate::secret_text;
use crate::typed_instance::{Decoded, SpecialValues};

struct Defined {
    definition: Arc<dyn Definition>,
    wishes: Wishes,
    special: Option<Box<SpecialValues>>,
}

/// Decodes a resource. No instance and no problem means that it depends on a value that is known after apply.
pub(crate) fn decode(definition: &Arc<dyn Definition>, mut fields: Fields<'_>) -> Decoded {
    let schema = definition.schema();
    let mut wishes = Wishes { removal: fields.is_removal(), ..Wishes::default() };
    for property in schema.properties.iter().filter(|property| property.role.is_settable()) {
        let read = |value: &Value, context: &Context<'_>| accept(&**definition, property, value, context);
        if let Some(value) = fields.defined(property, &read) {
            wishes.values.insert(property.name.into(), value);
        }
    }
    wishes.set = fields.set().to_vec();
    wishes.partial = fields.is_partial();
    let mut findings = fields.finish(schema.kind, schema);
    wishes.secret = findings.tainted.clone();
    if findings.problems.is_empty() && findings.unknown.is_empty() {
        findings.problems = definition.check(&wishes);
    }
    let is_ready = findings.problems.is_empty() && !findings.waits(schema);
    let instance = is_ready.then(|| {
        let special = SpecialValues::of(&findings);
        Box::new(Defined { definition: definition.clone(), wishes, special }) as Box<dyn Instance>
    });
    (instance, findings)
}

/// Applies many resources in one batch; `None` if the kind does not support it.
pub(crate) fn apply_together(
    definition: &Arc<dyn Definition>,
    items: &[(&dyn Instance, &Observation)],
    host: &Act<'_>,
) -> Option<Vec<Result<()>>> {
    if !definition.batches() {
        return None;
    }
    let mut batch = Vec::with_capacity(items.len());
    for (instance, seen) in items {
        let wishes = &instance.as_any().downcast_ref::<Defined>()?.wishes;
        batch.push(BatchItem { wishes, current: loaded(seen), desired: seen.desired });
    }
    Some(definition.apply_all(&batch, host))
}

impl Defined {
    fn state(&self) -> impl Iterator<Item = &'static PropertySchema> {
        self.schema().properties.iter().filter(|property| property.role.is_state())
    }

    fn load(&self, look: &Look<'_>) -> Result<Option<Map>> {
        let needs = |name: &str| {
            let property = self.schema().property(name);
            property.is_some_and(|property| self.wishes.wants(property)) || look.needs(name)
        };
        let loaded = self.definition.load(&self.wishes, &look.needing(&needs))?;
        loaded.map(|loaded| self.read(loaded)).transpose()
    }

    /// The loaded values, read by the types of their properties so that they can be compared.
    fn read(&self, loaded: Map) -> Result<Map> {
        let kind = self.schema().kind;
        let read = |(name, value): (Name, Value)| {
            if value == Value::Null || self.schema().property(&name).is_none() {
                return Ok((name, value));
            }
            match self.definition.value_type(&name).read(&value, &Context::NOTHING) {
                Ok(value) => Ok((name, value)),
                Err(problem) => {
                    let hide = self.definition.value_type(&name).is_sensitive();
                    let problem = if hide { problem.hidden() } else { problem };
                    let what = format!("`{kind}` loaded an invalid value: {}", problem.inside(&name));
                    Err(Error::new(ErrorKind::Defect, what))
                }
            }
        };
        loaded.into_iter().map(read).collect()
    }

    fn differ(&self, current: Option<&Map>) -> Vec<Difference> {
        // A new thing shows its identity, too.
        let shown = |property: &&PropertySchema| {
            property.role.is_state() || (current.is_none() && property.role == Role::Identity)
        };
        let known = self.schema().properties.iter().filter(shown);
        let known = known.filter(|property| !self.waits(property.name));
        let mut differences: Vec<_> =
            known.filter_map(|property| self.difference(property, current)).collect();
        let unknown = self.special.iter().flat_map(|special| &special.unknown);
        differences.extend(unknown.map(|(property, waits_for)| Difference {
            property: (*property).into(),
            from: current.map_or(Side::Absent, |current| side(current.get(*property))),
            to: Side::Value(Value::unknown(waits_for.clone())),
        }));
        differences
    }

    fn waits(&self, property: &str) -> bool {
        self.special.iter().flat_map(|special| &special.unknown).any(|(name, _)| *name == property)
    }

    fn difference(&self, property: &'static PropertySchema, current: Option<&Map>) -> Option<Difference> {
        let wants = self.wishes.wants(property);
        if current.is_some() && !wants {
            return None;
        }
        let goal = self.wishes.goal(&*self.definition, property, current)?;
        if current.is_some_and(|current| self.definition.is_as_wanted(property.name, &goal, current)) {
            return None;
        }
        let existing = current.and_then(|current| current.get(property.name));
        let is_default = property.role.is_state() && !self.wishes.is_set(property.name);
        let to = if is_default { Side::Default(goal) } else { Side::Value(goal) };
        Some(Difference { property: property.name.into(), from: side(existing), to })
    }

    fn losses(&self, current: &Map) -> Vec<Difference> {
        let lost = self.state().filter_map(|property| Some((property, current.get(property.name)?)));
        let lost = lost.filter(|(_, value)| **value != Value::Null);
        lost.map(|(property, value)| Difference {
            property: property.name.into(),
            from: Side::Value(value.clone()),
            to: Side::Absent,
        })
        .collect()
    }

    /// Hides all differences of a kind that knows a secret, because its loader may have read the secret or something that
    /// contains it. Only its declared name and identity are shown.
    fn hide(&self, difference: Difference, current: Option<&Map>) -> Difference {
        let role = self.schema().property(&difference.property).map(|property| property.role);
        let is_declared = current.is_none() && matches!(role, Some(Role::Name | Role::Identity));
        let hide = self.is_secret(&difference.property) || (self.knows_secret(current) && !is_declared);
        if hide { difference.sensitive() } else { difference }
    }

    /// Whether a secret was declared or loaded.
    fn knows_secret(&self, current: Option<&Map>) -> bool {
        let is_secret = |(name, value): (&Name, &Value)| {
            value.is_sensitive() || (*value != Value::Null && self.is_secret(name))
        };
        self.is_tainted() || current.is_some_and(|current| current.iter().any(is_secret))
    }

    fn is_secret(&self, property: &str) -> bool {
        let tainted = self.special.iter().any(|special| special.tainted.contains(&property));
        let known = self.schema().property(property).is_some();
        tainted || (known && self.definition.value_type(property).is_sensitive())
    }
}

fn side(value: Option<&Value>) -> Side {
    match value {
        None | Some(Value::Null) => Side::Absent,
        Some(value) => Side::Value(value.clone()),
    }
}

fn loaded(seen: &Observation) -> Option<&Map> {
    seen.state.as_ref()?.downcast_ref()
}

impl Instance for Defined {
    fn schema(&self) -> &'static Schema {
        self.definition.schema()
    }

    fn prepare(&self, look: &Look<'_>) -> Result<Option<Box<dyn Instance>>> {
        if !look.is_sensitive() {
            return Ok(None);
        }
        let wishes = Wishes { restricted: true, ..self.wishes.clone() };
        Ok(Some(Box::new(Self {
            definition: self.definition.clone(),
            wishes,
            special: self.special.clone(),
        })))
    }

    fn look(&self, look: &Look<'_>) -> Result<Observation> {
        Ok(Observation::of_state(self.load(look)?))
    }

    fn observe(&self, desired: Desired, host: &Reading<'_>) -> Result<Observation> {
        let state = self.load(&Look::to(desired, host))?;
        let mut differences = match (desired, &state) {
            (Desired::Present, state) => self.differ(state.as_ref()),
            (Desired::Absent, Some(state)) => self.losses(state),
            (Desired::Absent, None) => Vec::new(),
        };
        let foreseen = self.definition.predict_effects(&self.wishes, state.as_ref(), desired, host)?;
        let repeats = foreseen.repeats && state.is_some() && differences.is_empty();
        differences.extend(foreseen.differences);
        let knows = desired == Desired::Present || self.definition.detects_absence();
        let exists = state.is_some() && (knows || !differences.is_empty());
        Ok(Observation {
            desired,
            exists,
            converged: match desired {
                Desired::Present => exists && differences.is_empty(),
                Desired::Absent => !exists,
            },
            repeats,
            differences: differences.into_iter().map(|it| self.hide(it, state.as_ref())).collect(),
            inputs: foreseen.inputs,
            state: state.map(|state| Box::new(state) as _),
            other: None,
        })
    }

    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        self.definition.inputs(desired, host)
    }

    fn compare(&self, seen: &Observation) -> Vec<Difference> {
        let current = loaded(seen);
        self.differ(current).into_iter().map(|difference| self.hide(difference, current)).collect()
    }

    fn previous(&self, seen: &Observation) -> Previous {
        self.definition.previous(&self.wishes, loaded(seen), seen.desired)
    }

    fn apply(&self, seen: &Observation, host: &Act<'_>) -> Result<()> {
        match (seen.desired, loaded(seen)) {
            (Desired::Present, current) => self.definition.converge(&self.wishes, current, host),
            (Desired::Absent, Some(current)) => self.definition.remove(&self.wishes, current, host),
            (Desired::Absent, None) => Ok(()),
        }
    }

    fn still_differs_hint(&self, after: &Observation) -> Option<String> {
        self.definition.still_differs_hint(&self.wishes, loaded(after), after.desired)
    }

    fn predict_verb(&self, verb: &str, host: &Reading<'_>) -> Result<Option<PredictedEffects>> {
        let mut foreseen = self.definition.predict_verb(verb, &self.wishes, host)?;
        if let Some(foreseen) = &mut foreseen {
            let differences = std::mem::take(&mut foreseen.differences).into_iter();
            foreseen.differences = differences.map(|difference| self.hide(difference, None)).collect();
        }
        Ok(foreseen)
    }

    fn run_verb(&self, verb: &str, host: &Act<'_>) -> Result<()> {
        self.definition.run_verb(verb, &self.wishes, host)
    }

    fn value(&self, property: &str, seen: Option<&Observation>) -> Option<Value> {
        let schema = self.schema().property(property)?;
        let loaded_value = seen.and_then(loaded).and_then(|state| state.get(property));
        let value = match (loaded_value, schema.role) {
            (Some(value), _) => value.clone(),
            (None, Role::Export) => return seen.map(|_| Value::Null),
            (None, role) if role.is_state() => match (seen.and_then(loaded), self.wishes.get(property)) {
                (Some(_), _) => Value::Null,
                (None, wish) => wish?.clone(),
            },
            (None, _) => self.wishes.get(property).cloned().unwrap_or(Value::Null),
        };
        let is_loaded = loaded_value.is_some() && self.knows_secret(seen.and_then(loaded));
        Some(if is_loaded || self.is_secret(property) { value.sensitive() } else { value })
    }

    /// Only a compiled kind is known not to pass on a secret that it reads. Here any value may be made of it.
    fn is_tainted(&self) -> bool {
        let is_given = |name: &str| self.wishes.get(name).is_some_and(|value| *value != Value::Null);
        let secret = |property: &PropertySchema| self.definition.value_type(property.name).is_sensitive();
        self.special.iter().any(|special| !special.tainted.is_empty())
            || self.schema().properties.iter().any(|property| is_given(property.name) && secret(property))
    }

    fn tainted_properties(&self) -> &[&'static str] {
        self.special.as_ref().map_or(&[], |special| &special.tainted)
    }

    /// The origin of the string is unknown, so it is shown only if a value that is no secret contains it.
    fn may_show_secret(&self, text: &str) -> bool {
        self.is_tainted() && {
            let text = Value::from(text);
            let properties = self.schema().properties.iter().map(|property| property.name);
            let known = properties.filter(|name| !self.is_secret(name));
            !known.filter_map(|name| self.wishes.get(name)).any(|value| secret_text::shows(value, &text))
        }
    }

    fn claims(&self) -> Claims {
        let mut claims = Claims::default();
        for property in self.schema().properties {
            let Some(value) = self.wishes.get(property.name) else { continue };
            self.definition.value_type(property.name).claim(value, property.role, &mut claims);
        }
        self.definition.claims(&self.wishes, &mut claims);
        claims
    }

    fn owned_paths(&self) -> Vec<OwnedPaths> {
        if !self.definition.may_own() {
            return Vec::new();
        }
        let (definition, wishes) = (self.definition.clone(), self.wishes.clone());
        vec![Box::new(move |host: &Reading<'_>| definition.owned_paths(&wishes, host))]
    }

    fn interests(&self, host: &Reading<'_>) -> Vec<Interest> {
        let mut interests = Vec::new();
        for property in self.schema().properties {
            let Some(value) = self.wishes.get(property.name) else { continue };
            self.definition.value_type(property.name).watch(value, property.role, host, &mut interests);
        }
        self.definition.interests(&self.wishes, host, &mut interests);
        interests
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
