//! Limits on the work that a configuration can cause.
//!
//! A few lines can demand more than any machine has: locals that double each other, nested loops. Every step is counted
//! and every named value is weighed, so that such a configuration is rejected within seconds.

use std::cell::Cell;

use uphold_model::{Code, Diagnostic, Place, Value};

/// The maximum number of steps to read a configuration. A step takes some ten nanoseconds, ten times that in a debug
/// build; 100,000 blocks take a few million steps.
const MOST_STEPS: u64 = if cfg!(debug_assertions) { 10_000_000 } else { 200_000_000 };

/// The maximum depth of expressions, including the names that they refer to. It bounds the stack: a level takes up to
/// two kilobytes in a debug build, and threads have two megabytes.
const DEEPEST: u32 = 800;

/// The number of levels that a name counts for.
const LEVELS_OF_A_NAME: u32 = 2;

/// The maximum number of parts of a named value, or of the result of a loop.
const HEAVIEST: usize = 4_000_000;

/// The maximum nesting of a named value. Functions over values are recursive.
const MOST_LEVELS: usize = 128;

/// The maximum length of a string.
const LONGEST: usize = 64 << 20;

/// The remaining budget.
#[derive(Debug)]
pub(crate) struct Budget {
    steps: Cell<u64>,
    depth: Cell<u32>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: Cell::new(MOST_STEPS), depth: Cell::new(0) }
    }
}

impl Budget {
    /// Spends steps.
    pub(crate) fn spend(&self, steps: usize, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        match self.steps.get().checked_sub(steps as u64) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => {
                // From now on, every step is rejected.
                self.steps.set(0);
                let detail = "the evaluation takes more steps than allowed";
                let error = Diagnostic::new(Code::TooMuchWork, detail).at(place());
                Err(Box::new(
                    error.fix("make the loops smaller, or compute it outside and read it from a file"),
                ))
            }
        }
    }

    /// Enters an expression; paired with [`Budget::leave`].
    pub(crate) fn enter(&self, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        self.descend(1, place)
    }

    /// Enters the definition of a name; paired with [`Budget::leave_name`].
    pub(crate) fn enter_name(&self, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        self.descend(LEVELS_OF_A_NAME, place)
    }

    fn descend(&self, levels: u32, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        if self.depth.get() + levels > DEEPEST {
            let error =
                Diagnostic::new(Code::TooDeep, "locals, params and outputs refer to each other too deeply");
            return Err(Box::new(
                error.at(place()).fix("use fewer locals and outputs that refer to each other"),
            ));
        }
        self.depth.set(self.depth.get() + levels);
        Ok(())
    }

    pub(crate) fn leave(&self) {
        self.depth.set(self.depth.get() - 1);
    }

    pub(crate) fn leave_name(&self) {
        self.depth.set(self.depth.get() - LEVELS_OF_A_NAME);
    }

    /// Rejects a value that is too large to be used repeatedly.
    pub(crate) fn weigh(&self, value: &Value, place: impl Fn() -> Place) -> Result<(), Box<Diagnostic>> {
        self.spend(1, &place)?;
        let Some(weight) = weight(value, HEAVIEST, MOST_LEVELS) else {
            let detail = format!("it is nested more than {MOST_LEVELS} levels deep");
            let error = Diagnostic::new(Code::ValueTooLarge, detail);
            return Err(Box::new(error.at(place()).fix("make it flatter")));
        };
        if weight > HEAVIEST {
            return Err(Box::new(too_heavy().at(place())));
        }
        self.spend(weight / 4, place)
    }

    /// Charges for reading every part of a value.
    pub(crate) fn charge(&self, value: &Value, place: impl Fn() -> Place) -> Result<(), Box<Diagnostic>> {
        if !matches!(value.reveal(), Value::List(_) | Value::Map(_) | Value::Text(_)) {
            return Ok(());
        }
        self.spend(1, &place)?;
        self.spend(weight(value, HEAVIEST, usize::MAX).unwrap_or(HEAVIEST) / 4, place)
    }

    /// Charges for adding a value to a collection of this weight, and returns the new weight.
    pub(crate) fn gather(
        &self,
        gathered: usize,
        value: &Value,
        place: impl FnOnce() -> Place,
    ) -> Result<usize, Box<Diagnostic>> {
        let weight = weight(value, HEAVIEST, usize::MAX).unwrap_or(HEAVIEST);
        match gathered + weight {
            sum if sum > HEAVIEST => Err(Box::new(too_heavy().at(place()))),
            sum => self.spend(weight / 4, place).map(|()| sum),
        }
    }

    /// Rejects a string that is too long.
    pub(crate) fn length(&self, length: usize, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        if length <= LONGEST {
            return self.spend(length / 64, place);
        }
        let error = Diagnostic::new(Code::ValueTooLarge, "a string may have at most 64 MiB");
        Err(Box::new(error.at(place()).fix("make it shorter, or keep it in a file")))
    }
}

fn too_heavy() -> Diagnostic {
    Diagnostic::new(Code::ValueTooLarge, "it has more than four million parts")
        .fix("make it smaller, or split it")
}

/// The number of parts of a value, counted up to a little more than `most`; none if it has more than `levels` levels.
fn weight(value: &Value, most: usize, levels: usize) -> Option<usize> {
    let parts = |values: &mut dyn Iterator<Item = &Value>| {
        let levels = levels.checked_sub(1)?;
        let mut sum = 1;
        for part in values {
            sum += weight(part, most.saturating_sub(sum), levels)?;
            if sum > most {
                break;
            }
        }
        Some(sum)
    };
    match value {
        Value::List(items) => parts(&mut items.iter()),
        Value::Map(map) => parts(&mut map.values()),
        Value::Sensitive(inner) => weight(inner, most, levels),
        Value::Text(text) => Some(1 + text.len() / 64),
        _ => Some(1),
    }
}
