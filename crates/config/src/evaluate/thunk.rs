//! Thunks: locals, params, outputs and the like, evaluated when first asked for.

use std::ptr;
use std::sync::OnceLock;

use uphold_model::{Code, Diagnostic, Name, Place, Reference};

use super::evaluator::{Evaluated, Evaluator};
use super::references::without_repeats;

/// What a named expression came to when the configuration was read.
#[derive(Debug)]
pub(crate) struct Memo {
    value: Evaluated,
    /// The resources it reads. With none, the value is final.
    references: Box<[Reference]>,
    /// What an error in it waits for, if one was postponed.
    postponed: Option<Name>,
}

/// A named expression that is being evaluated.
pub(super) struct Forcing {
    key: usize,
    name: String,
    place: Place,
}

impl Evaluator<'_> {
    /// The value of what is called `name`. What reads no resource is evaluated once for all; the rest once for each
    /// evaluation, so that names that lead to names cost no more than there are names.
    pub(super) fn force(
        &self,
        memo: &OnceLock<Memo>,
        name: impl FnOnce() -> String,
        place: Place,
        compute: impl FnOnce() -> Evaluated,
    ) -> Evaluated {
        let key = ptr::from_ref(memo).addr();
        match memo.get() {
            Some(known) if known.references.is_empty() => return known.value.clone(),
            Some(known) if !self.at_run => {
                self.budget.spend(known.references.len() / 4, || place)?;
                self.references.borrow_mut().extend(&known.references);
                self.note_postponed(known.postponed.as_ref());
                return known.value.clone();
            }
            _ => {}
        }
        if let Some((value, postponed)) = self.late.borrow().get(&key) {
            self.note_postponed(postponed.as_ref());
            return value.clone();
        }
        let before = self.observe();
        let (value, references) = self.noting(|| {
            self.guarded(memo, name, place, || {
                let value = compute()?;
                self.budget.weigh(&value, || place)?;
                Ok(value)
            })
        });
        let postponed = self.observed(before);
        self.references.borrow_mut().extend(&references);
        self.keep(memo, key, &value, references, postponed.map(|unknown| unknown.waits_for));
        value
    }

    /// Evaluates what is kept in `memo`, unless that is being done already: then it is a circle.
    pub(super) fn guarded<M, T>(
        &self,
        memo: &OnceLock<M>,
        name: impl FnOnce() -> String,
        place: Place,
        compute: impl FnOnce() -> Result<T, Box<Diagnostic>>,
    ) -> Result<T, Box<Diagnostic>> {
        self.enter_thunk(ptr::from_ref(memo).addr(), name, place)?;
        let result = compute();
        self.forcing.borrow_mut().pop();
        self.budget.leave_name();
        result
    }

    fn keep(
        &self,
        memo: &OnceLock<Memo>,
        key: usize,
        value: &Evaluated,
        mut references: Vec<Reference>,
        postponed: Option<Name>,
    ) {
        if self.at_run {
            self.late.borrow_mut().insert(key, (value.clone(), postponed));
            return;
        }
        without_repeats(&mut references);
        let references = references.into();
        // A second thread cannot be here: configurations are read by one.
        _ = memo.set(Memo { value: value.clone(), references, postponed });
    }

    fn enter_thunk(
        &self,
        key: usize,
        name: impl FnOnce() -> String,
        place: Place,
    ) -> Result<(), Box<Diagnostic>> {
        let mut forcing = self.forcing.borrow_mut();
        if let Some(start) = forcing.iter().position(|other| other.key == key) {
            return Err(Box::new(circle(&forcing[start..])));
        }
        self.budget.enter_name(|| place)?;
        forcing.push(Forcing { key, name: name(), place });
        Ok(())
    }
}

/// Names that lead back to themselves. Told the same from wherever it is entered, so that it is told once.
fn circle(forcing: &[Forcing]) -> Diagnostic {
    let first =
        (0..forcing.len()).min_by_key(|&i| (forcing[i].place.source, forcing[i].place.start)).unwrap_or(0);
    let around: Vec<&Forcing> = forcing[first..].iter().chain(&forcing[..first]).collect();
    let mut names: Vec<&str> = around.iter().map(|one| one.name.as_str()).collect();
    names.push(names[0]);
    let error = Diagnostic::new(Code::CircularDefinition, names.join(" needs "))
        .at(around[0].place)
        .fix("take one of them out of the circle");
    around[1..]
        .iter()
        .fold(error, |error, one| error.and_at(one.place, format!("{} is part of it", one.name)))
}
