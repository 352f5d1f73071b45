//! Named expressions (locals, params, outputs), which are evaluated on first use.

use std::ptr;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use uphold_model::{Code, Diagnostic, Name, Place, Reference, ResourceId};

use super::evaluator::{Evaluated, Evaluator};

/// The result of a named expression when the configuration was read.
#[derive(Debug)]
pub(crate) struct Memo {
    value: Evaluated,
    /// The resources that it reads. The value is final if there are none.
    references: Box<[Reference]>,
    /// What a postponed error in it waits for.
    postponed: Option<Name>,
}

/// A named expression that is being evaluated.
pub(super) struct Forcing {
    key: usize,
    name: String,
    place: Place,
}

impl Evaluator<'_> {
    /// The value of a named expression. If it reads no resource, it is evaluated once; otherwise once in each
    /// evaluation, so that the cost stays linear in the number of names.
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
        if let Some((value, postponed)) = self.run_values.borrow().get(&key) {
            self.note_postponed(postponed.as_ref());
            return value.clone();
        }
        let before = self.observe();
        let (value, references) = self.recording(|| {
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

    /// Evaluates the content of `memo`, unless that is already in progress: then the definition is circular.
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
            self.run_values.borrow_mut().insert(key, (value.clone(), postponed));
            return;
        }
        without_repeats(&mut references);
        let references = references.into();
        // Only one thread reads a configuration, so the memo is still empty.
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

/// A circular definition. The message is the same from wherever the circle is entered, so that it is reported once.
fn circle(forcing: &[Forcing]) -> Diagnostic {
    let first =
        (0..forcing.len()).min_by_key(|&i| (forcing[i].place.source, forcing[i].place.start)).unwrap_or(0);
    let around: Vec<&Forcing> = forcing[first..].iter().chain(&forcing[..first]).collect();
    let mut names: Vec<&str> = around.iter().map(|one| one.name.as_str()).collect();
    names.push(names[0]);
    let error = Diagnostic::new(Code::CircularDefinition, names.join(" needs "))
        .at(around[0].place)
        .fix("remove one of these references");
    around[1..]
        .iter()
        .fold(error, |error, one| error.and_at(one.place, format!("{} is part of it", one.name)))
}

// The resources that an evaluation has read so far.

/// The length below which duplicates are kept.
const FEW: usize = 64;

/// The resources that were read, in the order of their first use. Repeated reads take no additional memory.
#[derive(Debug)]
pub(crate) struct References {
    list: Vec<Reference>,
    /// The length at which duplicates are removed next.
    full: usize,
}

impl Default for References {
    fn default() -> Self {
        Self { list: Vec::new(), full: FEW }
    }
}

impl References {
    pub(crate) fn push(&mut self, reference: Reference) {
        if self.list.is_empty() {
            // Mostly there is only one: no spare capacity.
            self.list.reserve_exact(1);
        }
        self.list.push(reference);
        self.tidy();
    }

    pub(crate) fn extend(&mut self, references: &[Reference]) {
        self.list.extend_from_slice(references);
        self.tidy();
    }

    /// The place of the last reference to a resource.
    pub(super) fn place_of_last(&self, target: &ResourceId) -> Option<Place> {
        self.list.iter().rev().find(|reference| reference.target == *target)?.place
    }

    pub(crate) fn into_list(self) -> Vec<Reference> {
        self.list
    }

    /// Called whenever the list has doubled, so that the total time is linear.
    fn tidy(&mut self) {
        if self.list.len() >= self.full {
            without_repeats(&mut self.list);
            self.full = FEW.max(2 * self.list.len());
        }
    }
}

/// Keeps the first reference to each field.
pub(super) fn without_repeats(list: &mut Vec<Reference>) {
    if list.len() < 2 {
        return;
    }
    let mut seen: FxHashSet<(&ResourceId, &[Name])> = FxHashSet::default();
    let new: Vec<bool> = list.iter().map(|one| seen.insert((&one.target, &one.path))).collect();
    let mut new = new.into_iter();
    list.retain(|_| new.next().unwrap_or(false));
}
