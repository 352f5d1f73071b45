//! Facts: `host.os.family`.

use uphold_model::{Code, Diagnostic, FactSchema, Value, closest};

use super::evaluator::{Evaluated, Evaluator};
use super::frame::Frame;
use super::path::Step;
use crate::excerpt::excerpt;

impl Evaluator<'_> {
    /// A fact, or all facts with a common prefix as a map. Only the named facts are read.
    pub(super) fn host(&self, frame: &Frame<'_>, steps: &[Step<'_>]) -> Evaluated {
        let facts = self.universe.surroundings().facts();
        let mut name = String::new();
        for (number, step) in steps.iter().enumerate() {
            let Some(part) = self.step_name(frame, step)? else {
                let detail = "the name of the fact must be known before the run";
                return Err(frame.error(step.at, Code::NameUnknown, detail, "write its name literally"));
            };
            let dot = if name.is_empty() { "" } else { "." };
            name = format!("{name}{dot}{}", &*part);
            if facts.iter().any(|fact| fact.name == name) {
                let value = self.fact(frame, step, &name)?;
                return self.members(frame, value, &steps[number + 1..]);
            }
            if !facts.iter().any(|fact| is_below(fact, &name)) {
                return Err(no_fact(frame, step, &name, facts));
            }
        }
        self.facts_below(frame, &steps[steps.len() - 1], &name, facts)
    }

    fn fact(&self, frame: &Frame<'_>, step: &Step<'_>, name: &str) -> Evaluated {
        self.universe.surroundings().fact(name).map_err(|error| {
            let detail = format!("`host.{name}`: {}", error.0);
            let fix = "give a fallback: `try(host.…, \"fallback\")`";
            frame.error(step.at, Code::FactUnavailable, detail, fix)
        })
    }

    fn facts_below(&self, frame: &Frame<'_>, step: &Step<'_>, name: &str, facts: &[FactSchema]) -> Evaluated {
        let mut tree = Value::map::<&str>([]);
        for fact in facts.iter().filter(|fact| is_below(fact, name)) {
            let value = self.fact(frame, step, fact.name).unwrap_or_default();
            let path: Vec<&str> = fact.name[name.len() + 1..].split('.').collect();
            tree = with(tree, &path, value);
        }
        Ok(tree)
    }
}

fn is_below(fact: &FactSchema, name: &str) -> bool {
    fact.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
}

/// The map with a value inserted at this path.
fn with(map: Value, path: &[&str], value: Value) -> Value {
    let Value::Map(entries) = map else { return value };
    let mut entries = (*entries).clone();
    let (first, rest) = path.split_first().expect("a fact below a name has a rest");
    let old = entries.remove(*first).unwrap_or_else(|| Value::map::<&str>([]));
    entries.insert((*first).into(), if rest.is_empty() { value } else { with(old, rest, value) });
    Value::Map(entries.into())
}

fn no_fact(frame: &Frame<'_>, step: &Step<'_>, name: &str, facts: &[FactSchema]) -> Box<Diagnostic> {
    let fix = match closest(name, facts.iter().map(|fact| fact.name)) {
        Some(near) => format!("did you mean `host.{near}`?"),
        None => "`uphold facts` lists them".into(),
    };
    frame.error(step.at, Code::UnknownFact, format!("there is no fact {}", excerpt(name)), fix)
}
