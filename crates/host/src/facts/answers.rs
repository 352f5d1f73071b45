//! Facts that were asked for, kept.

use std::sync::Arc;

use uphold_resource::{FACTS, Facts, Result, Value, unknown_fact};

use super::machine::{Machine, Sources};
use super::table::READERS;
use crate::known::Known;
use crate::local::LocalHost;

/// What was told so far. Each fact is read by whoever asks first; only those who ask for the same one wait.
pub(crate) struct Answers {
    told: [Known<Value>; FACTS.len()],
    sources: Sources,
}

impl Default for Answers {
    fn default() -> Self {
        Self { told: std::array::from_fn(|_| Known::default()), sources: Sources::default() }
    }
}

impl Facts for LocalHost {
    fn fact(&self, name: &str) -> Result<Value> {
        let row = READERS.iter().position(|(known, _)| *known == name).ok_or_else(|| unknown_fact(name))?;
        let answers = &self.answers;
        let machine = Machine { root: &self.root, accounts: &self.accounts, sources: &answers.sources };
        let answer = answers.told[row].get(|| READERS[row].1(&machine));
        answer.cloned().map_err(|error| error.while_(format!("cannot tell {name}")))
    }

    fn renewed(&self) -> Result<Option<Arc<dyn Facts>>> {
        Ok(Some(Arc::new(Self::with(self.root.again()?))))
    }
}
