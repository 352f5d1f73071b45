//! What only the type itself can answer.

use uphold_model::{Action, Difference};
use uphold_resource::{Context, Error, Fields, Observe, Resource, Result, Step, home};

use super::wish::Wish;
use uphold_memory::MemoryHost;

/// How one kind compares and works in batches, without its type.
#[derive(Clone, Copy)]
pub(crate) struct Typed {
    /// What of a wish is not met by what another wish for the same thing loads.
    pub(crate) unmet: fn(&Wish, &Wish, &MemoryHost) -> Result<Vec<Difference>>,
    /// Applies the wishes in one batch; none if the kind cannot.
    pub(crate) together: fn(&[&Wish], &MemoryHost) -> Option<Result<()>>,
}

impl Typed {
    pub(crate) fn of<R: Resource>() -> Self {
        Self { unmet: unmet::<R>, together: together::<R> }
    }
}

/// Decoded and prepared, as the engine does before it looks.
fn decode<R: Resource>(wish: &Wish, action: &Action, host: &MemoryHost) -> Result<R> {
    let home = |user: &str| home(host, user);
    let context = Context { home: &home, base: None };
    let mut fields = Fields::new(&wish.label, wish.values.clone(), action, context);
    let decoded = R::decode(&mut fields);
    let problems = fields.finish(R::SCHEMA.kind, R::SCHEMA).problems;
    match (decoded, problems.first()) {
        (Some(mut resource), None) => resource.prepare(host).map(|()| resource),
        (_, Some(problem)) => Err(Error::failed(problem.to_string())),
        (None, None) => Err(Error::failed("it waits for a value")),
    }
}

fn unmet<R: Resource>(wish: &Wish, reader: &Wish, host: &MemoryHost) -> Result<Vec<Difference>> {
    let asked: R = decode(wish, &Action::Converge, host)?;
    let read = decode::<R>(reader, &Action::Remove, host)?.load(host)?;
    let mut differences = Vec::new();
    asked.differences(&asked.goal(read.as_ref()), read.as_ref(), &mut differences);
    Ok(differences)
}

fn together<R: Resource>(wishes: &[&Wish], host: &MemoryHost) -> Option<Result<()>> {
    R::BATCHES.then(|| apply_together::<R>(wishes, host))
}

/// Looks at all, then takes all steps at once, as the engine does.
fn apply_together<R: Resource>(wishes: &[&Wish], host: &MemoryHost) -> Result<()> {
    let mut loaded = Vec::new();
    for wish in wishes {
        let resource: R = decode(wish, &Action::Converge, host)?;
        let current = resource.load(host as &dyn Observe)?;
        let goal = resource.goal(current.as_ref());
        let change = current.as_ref().map(|current| resource.change(&goal, current));
        loaded.push((resource, goal, change, current));
    }
    let steps: Vec<_> = loaded
        .iter()
        .filter_map(|(resource, goal, change, current)| match (change, current) {
            (Some(change), Some(_)) if R::is_empty(change) => None,
            (Some(change), Some(current)) => Some((resource, Step::Update { goal, change, current })),
            _ => Some((resource, Step::Create { goal })),
        })
        .collect();
    let results = R::apply_together(&steps, host).unwrap_or_default();
    if results.len() != steps.len() {
        return Err(Error::failed(format!("{} results for {} steps", results.len(), steps.len())));
    }
    results.into_iter().collect()
}
