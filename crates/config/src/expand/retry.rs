//! The `retry` meta argument.

use std::time::Duration;

use uphold_model::{Code, FAILURES, Map, Name, Retry, Value, closest};

use super::handling::{HandlingReader, Result};
use crate::excerpt::excerpt;
use crate::tree::NodeId;

impl HandlingReader<'_, '_> {
    /// `3`, or `{ times = 3, delay = "2s" }` with further keys.
    pub(super) fn retry(&self, node: NodeId) -> Result<Retry> {
        let value = self.value(node)?;
        let Value::Map(map) = &value else {
            return Ok(Retry::times(self.count(node, &value)?));
        };
        self.only(node, map.keys(), &["times", "delay", "backoff", "max_delay", "jitter", "on"], "retry")?;
        let usual = Retry::times(map.get("times").map_or(Ok(1), |times| self.count(node, times))?);
        let delay = map.get("delay").map_or(Ok(usual.delay), |delay| self.span(node, delay))?;
        Ok(Retry {
            delay,
            longest: self.longest(node, map, delay, usual.longest)?,
            backoff: self.part(node, map, "backoff", (1.0, f64::MAX))?.unwrap_or(usual.backoff),
            jitter: self.part(node, map, "jitter", (0.0, 1.0))?.unwrap_or(usual.jitter),
            on: map.get("on").map_or(Ok(Vec::new()), |on| self.failures(node, on))?,
            ..usual
        })
    }

    fn longest(&self, node: NodeId, map: &Map, delay: Duration, usual: Duration) -> Result<Duration> {
        let Some(longest) = map.get("max_delay") else { return Ok(usual.max(delay)) };
        let longest = self.span(node, longest)?;
        if longest < delay {
            let detail = "`max_delay` is shorter than `delay`";
            return Err(self.wrong(node, detail, "make `delay` shorter, or `max_delay` longer"));
        }
        Ok(longest)
    }

    /// A number in a range.
    fn part(&self, node: NodeId, map: &Map, name: &str, (from, to): (f64, f64)) -> Result<Option<f64>> {
        let Some(value) = map.get(name) else { return Ok(None) };
        let number = match value {
            Value::Int(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        };
        if let Some(number) = number.filter(|number| (from..=to).contains(number)) {
            return Ok(Some(number));
        }
        let range = if to == f64::MAX { format!("from {from} on") } else { format!("from {from} to {to}") };
        let detail = format!("`{name}` must be a number {range}, not {}", excerpt(&value.to_string()));
        let such = if from < 1.0 { "0.2" } else { "2" };
        Err(self.wrong(node, detail, &format!("write one, such as `{name} = {such}`")))
    }

    fn failures(&self, node: NodeId, value: &Value) -> Result<Vec<Name>> {
        let Value::List(items) = value else {
            let detail = format!("`on` must be a list of kinds of failure, not {}", value.type_name());
            return Err(self.wrong(node, detail, "write `on = [\"timed_out\"]`"));
        };
        items.iter().map(|item| self.failure(node, item)).collect()
    }

    fn failure(&self, node: NodeId, item: &Value) -> Result<Name> {
        let word = match item {
            Value::Text(word) if FAILURES.contains(&&**word) => return Ok(word.clone()),
            Value::Text(word) => word.to_string(),
            other => other.to_string(),
        };
        let fix = match closest(&word, FAILURES.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("valid kinds are {}", super::handling::listed(FAILURES)),
        };
        let detail = format!("{} is not a kind of failure that can be retried", excerpt(&word));
        Err(self.frame.error(node, Code::UnknownFailure, detail, fix))
    }
}
