//! The law about batches.

use uphold_memory::MemoryHost;
use uphold_model::Action;
use uphold_resource::Desired;

use super::subject::{Subject, Wish};
use super::trial::{Broken, Trial, lines};

/// A batch has the same result as separate applies. Passes for a kind that does not support batches.
pub fn a_batch_equals_separate_applies(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "a_batch_equals_separate_applies";
    if !subject.kind.batches() {
        return Ok(());
    }
    let wishes = of_different_names(subject);
    let Some(last) = wishes.last().filter(|_| wishes.len() > 1) else {
        let why = "no wishes test it: add a wish of another name".to_owned();
        return Err(Broken { law: LAW, wish: "the choice of wishes".to_owned(), why });
    };
    let trial = Trial { law: LAW, subject, wish: last };
    let separate = subject.host();
    for wish in &wishes {
        if (Trial { law: LAW, subject, wish }).converge(&separate).is_err() {
            return Ok(());
        }
    }
    let batch = subject.host();
    apply(&trial, &wishes, &batch)?;
    let diff = separate.snapshot().diff(&batch.snapshot());
    if diff.is_empty() {
        return Ok(());
    }
    Err(trial.broken(format!("separate applies (-) and a batch (+) differ:{}", lines(diff))))
}

/// Loads all, then applies all steps in one batch, as the engine does.
fn apply(trial: &Trial<'_>, wishes: &[&Wish], host: &MemoryHost) -> Result<(), Broken> {
    let mut loaded = Vec::new();
    for wish in wishes {
        let instance = Trial { wish, ..*trial }.decode(&Action::Converge, host)?;
        let seen = trial.observe(&*instance, Desired::Present, host)?;
        loaded.push((instance, seen));
    }
    let due = loaded.iter().filter(|(_, seen)| !seen.converged);
    let items: Vec<_> = due.map(|(instance, seen)| (&**instance, seen)).collect();
    let results = trial.subject.kind.apply_together(&items, &host.act()).unwrap_or_default();
    if results.len() != items.len() {
        return Err(trial.broken(format!("{} results for {} steps", results.len(), items.len())));
    }
    let applied: Result<(), _> = results.into_iter().collect();
    applied.map_err(|error| trial.failed("applying the batch", &error))
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
