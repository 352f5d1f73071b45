//! A block as a user writes it, and a visit as the engine makes it.

use uphold_builtin::register;
use uphold_model::{Action, Name, Value};
use uphold_resource::{Act, Context, Desired, Error, Fields, Instance, Look, Observation, Registry, home};

/// A block of a configuration.
pub(crate) struct Block {
    kind: &'static str,
    label: &'static str,
    values: Vec<(Name, Value)>,
    action: Action,
}

/// The result of a visit.
pub(crate) struct Visit {
    instance: Box<dyn Instance>,
    seen: Observation,
    /// Whether something was changed.
    pub(crate) changed: bool,
}

/// A block such as `task "t"`.
pub(crate) fn block(kind: &'static str) -> Block {
    Block { kind, label: "t", values: Vec::new(), action: Action::Converge }
}

/// A list of strings.
pub(crate) fn list(words: &[&str]) -> Value {
    Value::list(words.iter().map(|word| Value::text(*word)))
}

impl Block {
    pub(crate) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.values.push((name.into(), value.into()));
        self
    }

    pub(crate) fn label(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    pub(crate) fn action(self, word: &str) -> Self {
        Self { action: Action::named(word).expect("an action"), ..self }
    }

    /// The resource, or all problems.
    pub(crate) fn decode(&self, host: &Act<'_>) -> Result<Box<dyn Instance>, String> {
        let mut registry = Registry::default();
        register(&mut registry).expect("sound kinds");
        let home = |user: &str| home(host, user);
        let context = Context { home: &home, base: None };
        let fields = Fields::new(self.label, self.values.clone(), &self.action, context);
        let (instance, findings) = registry.get(self.kind).expect("a kind").decode(fields);
        let problems: Vec<_> = findings.problems.iter().map(ToString::to_string).collect();
        instance.ok_or(problems.join("\n"))
    }

    /// Loads, and applies if something differs; then nothing may differ.
    pub(crate) fn visit(&self, host: &Act<'_>) -> Result<Visit, Error> {
        let declared = self.decode(host).expect("a sound block");
        let instance = declared.prepare(&Look::to(Desired::Present, host))?.unwrap_or(declared);
        let mut seen = instance.observe(Desired::Present, host)?;
        let verb = matches!(self.action, Action::Verb(_));
        let changed = verb || !seen.converged;
        if changed {
            match &self.action {
                Action::Verb(verb) => instance.run_verb(verb, host)?,
                _ => instance.apply(&seen, host)?,
            }
            seen = instance.observe(Desired::Present, host)?;
            assert!(verb || seen.converged, "still different after apply");
        }
        Ok(Visit { instance, seen, changed })
    }

    /// The error of a visit.
    pub(crate) fn error(&self, host: &Act<'_>) -> Error {
        match self.visit(host) {
            Ok(_) => panic!("the visit succeeded"),
            Err(error) => error,
        }
    }
}

impl Visit {
    /// A property, through nested values: `status.stdout`.
    pub(crate) fn value(&self, path: &str) -> Value {
        let mut steps = path.split('.');
        let property = steps.next().expect("a property");
        let value = self.instance.value(property, Some(&self.seen)).expect("a value");
        value.at(&steps.collect::<Vec<_>>()).expect("a member")
    }

    /// The value of a string property.
    pub(crate) fn text(&self, path: &str) -> String {
        match self.value(path) {
            Value::Text(text) => text.to_string(),
            other => panic!("{path} is {other}"),
        }
    }
}
