//! The test of one wish of a subject against one law, and the violation that it finds.

use std::fmt;

use uphold_memory::MemoryHost;
use uphold_model::Action;
use uphold_resource::{Context, Desired, Error, Fields, Instance, Look, Observation, home};

use super::subject::{Subject, Wish};

/// The test of one wish of a subject against one law.
pub(crate) struct Trial<'a> {
    pub(crate) law: &'static str,
    pub(crate) subject: &'a Subject,
    pub(crate) wish: &'a Wish,
}

/// The separator of the lines in a report.
const INDENT: &str = "\n    ";

impl<'a> Trial<'a> {
    /// A trial for each wish of the subject.
    pub(crate) fn each(law: &'static str, subject: &'a Subject) -> impl Iterator<Item = Trial<'a>> {
        subject.wishes.iter().map(move |wish| Trial { law, subject, wish })
    }

    /// A violation of the law by the wish.
    pub(crate) fn broken(&self, why: impl Into<String>) -> Broken {
        let wish = format!("{} {}", self.subject.schema().kind, self.wish);
        Broken { law: self.law, wish, why: why.into() }
    }

    pub(crate) fn failed(&self, what: &str, error: &Error) -> Broken {
        self.broken(format!("{what} failed: {}", error.chain()))
    }

    /// The instance before its first load: decoded, prepared unless it is to be removed, and without readers of its
    /// exports. Each call is a new run.
    pub(crate) fn decode(&self, action: &Action, host: &MemoryHost) -> Result<Box<dyn Instance>, Broken> {
        host.need_only(self.wish.values.iter().map(|(name, _)| name.to_string()));
        let instance = self.decode_wish(self.wish, action, host)?;
        if *action == Action::Remove { Ok(instance) } else { self.prepare(instance, host) }
    }

    /// The instance for the same resource without any state, and with readers of every property.
    pub(crate) fn decode_reader(&self, host: &MemoryHost) -> Result<Box<dyn Instance>, Broken> {
        host.need_all();
        let instance = self.decode_wish(&self.subject.reader(self.wish), &Action::Remove, host)?;
        self.prepare(instance, host)
    }

    fn prepare(&self, declared: Box<dyn Instance>, host: &MemoryHost) -> Result<Box<dyn Instance>, Broken> {
        let completed = declared.prepare(&Look::to(Desired::Present, &host.act()));
        Ok(completed.map_err(|error| self.failed("preparing it", &error))?.unwrap_or(declared))
    }

    fn decode_wish(
        &self,
        wish: &Wish,
        action: &Action,
        host: &MemoryHost,
    ) -> Result<Box<dyn Instance>, Broken> {
        let home = |user: &str| home(&host.act(), user);
        let context = Context { home: &home, base: None };
        let fields = Fields::new(&wish.label, wish.values.clone(), action, context);
        let (instance, findings) = self.subject.kind.decode(fields);
        let undecoded = || {
            let problems = lines(&findings.problems);
            self.broken(format!("{wish} is not valid:{problems}"))
        };
        instance.ok_or_else(undecoded)
    }

    pub(crate) fn observe(
        &self,
        instance: &dyn Instance,
        desired: Desired,
        host: &MemoryHost,
    ) -> Result<Observation, Broken> {
        instance.observe(desired, &host.act()).map_err(|error| self.failed("checking it", &error))
    }

    /// One visit of the engine: check, apply the differences, check again.
    pub(crate) fn visit(
        &self,
        instance: &dyn Instance,
        desired: Desired,
        host: &MemoryHost,
    ) -> Result<Observation, Broken> {
        let seen = self.observe(instance, desired, host)?;
        if seen.converged {
            return Ok(seen);
        }
        instance.apply(&seen, &host.act()).map_err(|error| self.failed("applying it", &error))?;
        let after = self.observe(instance, desired, host)?;
        if after.converged {
            return Ok(after);
        }
        let hint = lines(instance.still_differs_hint(&after));
        Err(self.broken(format!("it still differs after apply:{}{hint}", differences(&after))))
    }

    /// A whole run that must converge.
    pub(crate) fn converge(&self, host: &MemoryHost) -> Result<Box<dyn Instance>, Broken> {
        let instance = self.decode(&Action::Converge, host)?;
        self.visit(&*instance, Desired::Present, host)?;
        Ok(instance)
    }

    /// A machine on which the wish has converged. None if it does not: another law reports that.
    pub(crate) fn converged(&self) -> Option<(MemoryHost, Box<dyn Instance>)> {
        let host = self.subject.host();
        let instance = self.converge(&host).ok()?;
        Some((host, instance))
    }
}

/// The differences, one per line.
pub(crate) fn differences(seen: &Observation) -> String {
    if seen.differences.is_empty() {
        let words = if seen.exists { "it exists" } else { "it does not exist" };
        return format!("{INDENT}{words}");
    }
    let side = |side: &uphold_model::Side| side.value().map_or("nothing".to_owned(), ToString::to_string);
    let line = |difference: &uphold_model::Difference| {
        format!("{INDENT}{}: {} -> {}", difference.property, side(&difference.from), side(&difference.to))
    };
    seen.differences.iter().map(line).collect()
}

/// The items, one per line.
pub(crate) fn lines<T: ToString>(things: impl IntoIterator<Item = T>) -> String {
    things.into_iter().map(|thing| format!("{INDENT}{}", thing.to_string())).collect()
}

/// A violation of a law by a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// The law's name, which is that of its function.
    pub law: &'static str,
    /// The wish that violates it.
    pub wish: String,
    /// The actual and the expected behaviour.
    pub why: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the law `{}` is broken by {}: {}", self.law, self.wish, self.why)
    }
}

impl std::error::Error for Broken {}
