//! Named expressions (locals, params, outputs), which are evaluated on first use.

use std::ptr;
use std::sync::OnceLock;

use uphold_model::{Code, Diagnostic, Name, Place, Reference};

use super::evaluator::{Evaluated, Evaluator};
use super::references::without_repeats;

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
