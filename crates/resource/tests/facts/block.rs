//! A block of a configuration, as the engine passes it to a kind.

use std::path::PathBuf;

use uphold_model::{Action, Difference, Name, Side, Value};
use uphold_resource::{Context, Fields, Findings, Instance, Kind, Registry, Resource};

/// `kind "label" { … }`.
pub(crate) struct Block {
    kind: Kind,
    label: &'static str,
    action: Action,
    values: Vec<(Name, Value)>,
}

impl Block {
    /// An empty block of kind `R`, which is registered as in a real program.
    pub(crate) fn new<R: Resource>(label: &'static str) -> Self {
        let mut registry = Registry::default();
        registry.add::<R>().unwrap_or_else(|error| panic!("{error}"));
        let kind = registry.get(R::SCHEMA.kind).expect("it was just added").clone();
        Self { kind, label, action: Action::Converge, values: Vec::new() }
    }

    /// Adds an attribute.
    pub(crate) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.values.push((name.into(), value.into()));
        self
    }

    /// Sets another action than `converge`.
    pub(crate) fn action(mut self, word: &str) -> Self {
        self.action = Action::named(word).expect("an action");
        self
    }

    /// Decodes the block.
    pub(crate) fn decode(&self) -> (Option<Box<dyn Instance>>, Findings) {
        let context = Context { home: &home, base: None };
        self.kind.decode(Fields::new(self.label, self.values.clone(), &self.action, context))
    }

    /// The resource, which must be valid.
    pub(crate) fn instance(&self) -> Box<dyn Instance> {
        let (instance, findings) = self.decode();
        instance.unwrap_or_else(|| panic!("{:?}", findings.problems))
    }

    /// All problems, one per line.
    pub(crate) fn problems(&self) -> String {
        lines(&self.decode().1.problems)
    }

    /// All warnings, one per line.
    pub(crate) fn warnings(&self) -> String {
        lines(&self.decode().1.warnings)
    }

    /// The decoded value of a property, printed.
    pub(crate) fn value(&self, property: &str) -> Option<String> {
        self.instance().value(property, None).map(|value| value.to_string())
    }
}

fn home(user: &str) -> Option<PathBuf> {
    match user {
        "" => Some("/root".into()),
        "ada" => Some("/home/ada".into()),
        _ => None,
    }
}

fn lines(problems: &[uphold_model::Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// `st1: "d1" -> "n1"`, one per line; `(default)` for a default, `nothing` for a missing value.
pub(crate) fn print(differences: &[Difference]) -> String {
    let side = |side: &Side| match side {
        Side::Absent => "nothing".to_owned(),
        Side::Value(value) => value.to_string(),
        Side::Default(value) => format!("{value} (default)"),
    };
    let line = |d: &Difference| format!("{}: {} -> {}", d.property, side(&d.from), side(&d.to));
    differences.iter().map(line).collect::<Vec<_>>().join("\n")
}
