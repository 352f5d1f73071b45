//! Builders of meta arguments and helpers of the tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use uphold_model::{
    Action, Guard, GuardCommand, Handling, Moment, Notification, Reference, ResourceId, Term, Value,
};
use uphold_testkit::MemoryHost;

use super::check::SharedHost;
use super::expression::{place_at, reference};
use super::script::{Script, block, declare, id, note};

/// A notification of `target`.
pub(crate) fn tell(target: &ResourceId, action: &str, moment: Moment) -> Notification {
    let action = Action::named(action).expect("it is an action");
    Notification { other: target_of(target), action, moment }
}

fn target_of(target: &ResourceId) -> Reference {
    reference(target, "", 600)
}

/// Notifies these notes to shout.
pub(crate) fn notifies(transcript: &[(&str, Moment)]) -> Handling {
    let notifies =
        transcript.iter().map(|(other, moment)| tell(&id("note", other), "shout", *moment)).collect();
    Handling { notifies, ..Handling::default() }
}

/// A note that notifies others to shout.
pub(crate) fn telling(name: &str, text: &str, transcript: &[(&str, Moment)]) -> Script {
    note(name, text).handled(notifies(transcript))
}

/// A note that acts only when it is notified.
pub(crate) fn idle(name: &str) -> Script {
    declare(id("note", name)).set("text", "x")
}

/// A tool with these two commands.
pub(crate) fn tool(name: &str, check: &str, make: &str) -> Script {
    block(id("tool", name)).set("check", check).set("make", make)
}

/// A tool that runs only when it is notified.
pub(crate) fn idle_tool(name: &str, make: &str) -> Script {
    declare(id("tool", name)).set("make", make)
}

/// A condition or a command.
pub(crate) fn guard(expected: bool, condition: impl Into<Value>) -> Guard {
    guard_of(expected, Term::Known(condition.into()))
}

pub(crate) fn guard_of(expected: bool, condition: Term) -> Guard {
    Guard { condition, expected, command: GuardCommand::default(), place: Some(place_at(500)) }
}

pub(crate) fn guarded(guards: impl IntoIterator<Item = Guard>) -> Handling {
    Handling { guards: guards.into_iter().collect(), ..Handling::default() }
}

pub(crate) fn only_if(condition: impl Into<Value>) -> Handling {
    guarded([guard(true, condition)])
}

pub(crate) fn not_if(condition: impl Into<Value>) -> Handling {
    guarded([guard(false, condition)])
}

/// Counts runs of a program.
#[derive(Clone, Default)]
pub(crate) struct Count(Arc<AtomicUsize>);

impl Count {
    /// Adds one, and returns the previous count.
    pub(crate) fn up(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst)
    }

    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// A machine with the program `count`, which exits with the first of these statuses, then the next, and so on, and
/// repeats the last one.
pub(crate) fn counting(statuses: &'static [i32]) -> (SharedHost, Count) {
    let count = Count::default();
    let host = SharedHost::with(|host| with_count(host, &count, statuses));
    (host, count)
}

pub(crate) fn with_count(host: MemoryHost, count: &Count, statuses: &'static [i32]) -> MemoryHost {
    let count = count.clone();
    host.program("count", move |call| {
        let at = count.up().min(statuses.len() - 1);
        call.fail(statuses[at], "")
    })
}
