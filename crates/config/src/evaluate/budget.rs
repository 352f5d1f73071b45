//! The budget: how much a configuration may ask of the evaluator.
//!
//! A few lines can ask for more than any machine has: locals that double each other, loops in loops. Every step is
//! counted, and whatever gets a name is weighed, so that such a text is refused in seconds.

use std::cell::Cell;

use uphold_model::{Diagnostic, Place, Value};

/// Steps for one reading. A step costs some ten nanoseconds; 100,000 blocks take a few millions.
const MOST_STEPS: u64 = 200_000_000;

/// How deep expressions may go through names. It bounds the stack.
const DEEPEST: u32 = 400;

/// How many parts a value with a name may have.
const HEAVIEST: usize = 4_000_000;

/// How long a text may get.
const LONGEST: usize = 64 << 20;

/// What is left.
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
            None => Err(Box::new(
                Diagnostic::error("too much to compute", "this takes more steps than a configuration may")
                    .at(place())
                    .fix("make the loops smaller, or compute it outside and read it from a file"),
            )),
        }
    }

    /// Goes one level down. [`Budget::leave`] comes up again.
    pub(crate) fn enter(&self, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        if self.depth.get() >= DEEPEST {
            let error = Diagnostic::error("too deep to compute", "names lead to names without an end in sight");
            return Err(Box::new(error.at(place()).fix("use fewer locals and outputs that refer to each other")));
        }
        self.depth.set(self.depth.get() + 1);
        Ok(())
    }

    pub(crate) fn leave(&self) {
        self.depth.set(self.depth.get() - 1);
    }

    /// Refuses a value that is too large to be used again and again.
    pub(crate) fn weigh(&self, value: &Value, place: impl Fn() -> Place) -> Result<(), Box<Diagnostic>> {
        let weight = weight(value, HEAVIEST);
        if weight > HEAVIEST {
            let error = Diagnostic::error("value too large", "it has more than four million parts");
            return Err(Box::new(error.at(place()).fix("make it smaller, or split it")));
        }
        self.spend(weight / 16, place)
    }

    /// Refuses a text that is too long.
    pub(crate) fn length(&self, length: usize, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        if length <= LONGEST {
            return self.spend(length / 64, place);
        }
        let error = Diagnostic::error("text too long", "a text may have 64 MiB");
        Err(Box::new(error.at(place()).fix("make it shorter, or keep it in a file")))
    }
}

/// How many parts a value has, counted up to `most` and a little more.
fn weight(value: &Value, most: usize) -> usize {
    let parts = |values: &mut dyn Iterator<Item = &Value>| {
        let mut sum = 1;
        for part in values {
            sum += weight(part, most.saturating_sub(sum));
            if sum > most {
                break;
            }
        }
        sum
    };
    match value {
        Value::List(items) => parts(&mut items.iter()),
        Value::Map(map) => parts(&mut map.values()),
        Value::Sensitive(inner) => weight(inner, most),
        _ => 1,
    }
}
