//! The law about batches.

use uphold_memory::MemoryHost;
use uphold_model::Action;
use uphold_resource::Desired;

use super::broken::Broken;
use super::subject::Subject;
use super::trial::{Trial, lines};
use super::wish::Wish;

/// Applying many at once ends in the same world as applying one after the other. Says nothing
/// about a kind that does not work in batches.
pub fn together_equals_one_by_one(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "together_equals_one_by_one";
    if !subject.kind.batches() {
        return Ok(());
    }
    let wishes = of_different_names(subject);
    let Some(last) = wishes.last().filter(|_| wishes.len() > 1) else {
        let why = "nothing shows it: add a wish of another name".to_owned();
        return Err(Broken { law: LAW, wish: "the choice of wishes".to_owned(), why });
    };
    let trial = Trial { law: LAW, subject, wish: last };
    let one_by_one = subject.host();
    for wish in &wishes {
        if (Trial { law: LAW, subject, wish }).converge(&one_by_one).is_err() {
            return Ok(());
        }
    }
    let at_once = subject.host();
    apply(&trial, &wishes, &at_once)?;
    let diff = one_by_one.snapshot().diff(&at_once.snapshot());
    match diff.is_empty() {
        true => Ok(()),
        false => Err(trial.broken(format!("one by one (-) and at once (+) differ:{}", lines(diff)))),
    }
}

/// Looks at all, then takes all steps at once, as the engine does.
fn apply(trial: &Trial<'_>, wishes: &[&Wish], host: &MemoryHost) -> Result<(), Broken> {
    let mut looked = Vec::new();
    for wish in wishes {
        let instance = Trial { wish, ..*trial }.decode(&Action::Converge, host)?;
        let seen = trial.observe(&*instance, Desired::Present, host)?;
        looked.push((instance, seen));
    }
    let due = looked.iter().filter(|(_, seen)| !seen.converged);
    let items: Vec<_> = due.map(|(instance, seen)| (&**instance, seen)).collect();
    let results = trial.subject.kind.apply_together(&items, &host.act()).unwrap_or_default();
    if results.len() != items.len() {
        return Err(trial.broken(format!("{} results for {} steps", results.len(), items.len())));
    }
    let applied: Result<(), _> = results.into_iter().collect();
    applied.map_err(|error| trial.failed("applying all at once", &error))
}

/// The first wish of each name.
fn of_different_names(subject: &Subject) -> Vec<&Wish> {
    let mut wishes: Vec<&Wish> = Vec::new();
    for wish in &subject.wishes {
        if wishes.iter().all(|other| other.label != wish.label) {
            wishes.push(wish);
        }
    }
    wishes
}
