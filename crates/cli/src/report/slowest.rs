//! What took longest.

use std::time::Duration;

use uphold::model::{Action, ResourceId};

use super::span;
use crate::paint::clean;

/// So many are worth a look.
const SHOWN: usize = 5;

/// The slowest actions of a run so far, the slowest first.
#[derive(Debug, Default)]
pub(crate) struct Slowest(Vec<(Duration, ResourceId, Action)>);

impl Slowest {
    /// Takes note of one more action, which costs nothing if it was fast.
    pub(crate) fn note(&mut self, resource: &ResourceId, action: &Action, took: Duration) {
        let place = self.0.partition_point(|(other, ..)| *other >= took);
        if place < SHOWN && took.as_millis() > 0 {
            self.0.truncate(SHOWN - 1);
            self.0.insert(place, (took, resource.clone(), action.clone()));
        }
    }

    /// A heading, and a line for each; empty if there was nothing.
    pub(crate) fn text(&self) -> String {
        let lines = self.0.iter().map(|(took, resource, action)| {
            let name = resource.to_string();
            let action = match action {
                Action::Verb(verb) => format!(" ({})", clean(verb)),
                _ => String::new(),
            };
            format!("  {:>8}  {}{action}\n", span::words(*took), clean(&name))
        });
        let lines: String = lines.collect();
        if lines.is_empty() { lines } else { format!("\nSlowest:\n{lines}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_come_first_and_the_rest_is_left_out() {
        let mut slowest = Slowest::default();
        assert_eq!(slowest.text(), "");
        for (name, millis) in [("a", 5), ("b", 70_000), ("c", 0), ("d", 1500), ("e", 5), ("f", 1), ("g", 30)]
        {
            let action = if name == "d" { Action::Verb("run".into()) } else { Action::Converge };
            slowest.note(&ResourceId::new("task", name), &action, Duration::from_millis(millis));
        }
        let expected = "\nSlowest:\n    1m 10s  task.b\n     1.50s  task.d (run)\n      30ms  task.g\n       5ms  task.a\n       5ms  task.e\n";
        assert_eq!(slowest.text(), expected);
    }
}
