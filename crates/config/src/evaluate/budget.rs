//! The budget: how much a configuration may ask of the evaluator.
//!
//! A few lines can ask for more than any machine has: locals that double each other, loops in loops. Every step is
//! counted, and whatever gets a name is weighed, so that such a text is refused in seconds.

use std::cell::Cell;

use uphold_model::{Code, Diagnostic, Place, Value};

/// Steps for one reading. A step costs some ten nanoseconds, and ten times that where nothing was optimised;
/// 100,000 blocks take a few millions.
const MOST_STEPS: u64 = if cfg!(debug_assertions) { 10_000_000 } else { 200_000_000 };

/// How many levels deep expressions may go, through names as well. It bounds the stack: a level takes up to two
/// kilobytes of it where nothing was optimised, and threads have two megabytes.
const DEEPEST: u32 = 800;

/// So many levels does a name count for.
const LEVELS_OF_A_NAME: u32 = 2;

/// How many parts a value may have that has a name, or that a loop makes.
const HEAVIEST: usize = 4_000_000;

/// How many levels a value with a name may have. Whoever walks over values calls himself once a level.
const MOST_LEVELS: usize = 128;

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
            None => {
                // Whatever comes now is refused at once.
                self.steps.set(0);
                let detail = "this takes more steps than a configuration may";
                let error = Diagnostic::new(Code::TooMuchWork, detail).at(place());
                Err(Box::new(
                    error.fix("make the loops smaller, or compute it outside and read it from a file"),
                ))
            }
        }
    }

    /// Goes into an expression. [`Budget::leave`] comes back.
    pub(crate) fn enter(&self, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        self.descend(1, place)
    }

    /// Goes into what a name stands for. [`Budget::leave_name`] comes back.
    pub(crate) fn enter_name(&self, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        self.descend(LEVELS_OF_A_NAME, place)
    }

    fn descend(&self, levels: u32, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        if self.depth.get() + levels > DEEPEST {
            let error = Diagnostic::new(Code::TooDeep, "names lead to names without an end in sight");
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

    /// Refuses a value that is too large to be used again and again.
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

    /// Pays for looking at every part of a value.
    pub(crate) fn look(&self, value: &Value, place: impl Fn() -> Place) -> Result<(), Box<Diagnostic>> {
        if !matches!(value.reveal(), Value::List(_) | Value::Map(_) | Value::Text(_)) {
            return Ok(());
        }
        self.spend(1, &place)?;
        self.spend(weight(value, HEAVIEST, usize::MAX).unwrap_or(HEAVIEST) / 4, place)
    }

    /// Adds a value to a collection of this weight, and says what it then weighs.
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

    /// Refuses a text that is too long.
    pub(crate) fn length(&self, length: usize, place: impl FnOnce() -> Place) -> Result<(), Box<Diagnostic>> {
        if length <= LONGEST {
            return self.spend(length / 64, place);
        }
        let error = Diagnostic::new(Code::ValueTooLarge, "a text may have 64 MiB");
        Err(Box::new(error.at(place()).fix("make it shorter, or keep it in a file")))
    }
}

fn too_heavy() -> Diagnostic {
    Diagnostic::new(Code::ValueTooLarge, "it has more than four million parts")
        .fix("make it smaller, or split it")
}

/// How many parts a value has, counted up to `most` and a little more; none if it has more than `levels` levels.
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
