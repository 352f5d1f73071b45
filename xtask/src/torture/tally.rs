//! The number of attacks, and those that succeeded.

use std::fmt;

use crate::failure::{Failure, Result};

/// The number of failures that are shown in full.
const SHOWN: usize = 20;

#[derive(Default)]
pub(crate) struct Tally {
    tried: usize,
    failures: Vec<String>,
    remark: Option<String>,
}

impl Tally {
    /// Adds a measurement to the output.
    pub(crate) fn remark(&mut self, remark: String) {
        self.remark = Some(remark);
    }

    /// Counts one attack; `broken` describes its damage, if any.
    pub(crate) fn count(&mut self, attack: &str, broken: Option<String>) {
        self.tried += 1;
        if let Some(broken) = broken {
            self.failures.push(format!("{attack}: {broken}"));
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.tried += other.tried;
        self.failures.extend(other.failures);
    }

    /// Fails with the first attacks that succeeded, or if no attack was tried.
    pub(crate) fn into_result(self) -> Result {
        if self.tried == 0 {
            return Err(Failure::new("no attack was tried"));
        }
        if self.failures.is_empty() {
            return Ok(());
        }
        let shown = self.failures.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n");
        Err(Failure::new(format!("{} of {} attacks succeeded\n{shown}", self.failures.len(), self.tried)))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>5} tried, {:>3} failed", self.tried, self.failures.len())?;
        self.remark.iter().try_for_each(|remark| write!(f, "; {remark}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_of_an_attack_is_a_failure() {
        let mut tally = Tally::default();
        tally.count("kill 1", None);
        assert_eq!(tally.to_string(), "    1 tried,   0 failed");
        tally.remark("3 races".to_owned());
        assert_eq!(tally.to_string(), "    1 tried,   0 failed; 3 races");
        tally.count("kill 2", Some("a half file".to_owned()));
        let failure = tally.into_result().unwrap_err();
        assert_eq!(failure.to_string(), "1 of 2 attacks succeeded\nkill 2: a half file");
        assert!(Tally::default().into_result().is_err());
    }
}
