//! A kind whose action notifies other resources, as nested resources do, and a detector of overlapping visits.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use uphold_engine::Engine;
use uphold_model::{Action, Handling, Lock, Moment, ResourceId};
use uphold_resource::{
    Act, Command, Found, Level, Look, NestedNotification, Resource, Result, Step, Verbs, Want,
};
use uphold_testkit::MemoryHost;

use super::check::{SharedHost, engine};
use super::script::{Script, declare, id, trigger};

/// Sends notifications while it rings.
#[derive(Resource)]
#[resource(kind = "relay", permanent, verbs(ring = "Send all notifications."))]
pub(crate) struct Relay {
    #[name]
    name: String,
    /// `NAME TIMING`, one after the other: each relay of that name is notified then.
    #[default("")]
    sends: String,
    /// Continues if a notification fails.
    #[default(false)]
    catches: bool,
    #[enforce(true)]
    done: Want<bool>,
}

impl Resource for Relay {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::This(RelayState { done: true }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

impl Verbs for Relay {
    type Verb = RelayVerb;

    fn run(&self, RelayVerb::Ring: RelayVerb, host: &Act<'_>) -> Result<()> {
        self.mark("enter", host)?;
        let sent = self.send_all(host);
        self.mark("leave", host)?;
        sent
    }
}

impl Relay {
    fn mark(&self, program: &str, host: &Act<'_>) -> Result<()> {
        host.run(&Command::new(program, [self.name.clone()])).map(drop)
    }

    fn send_all(&self, host: &Act<'_>) -> Result<()> {
        let words: Vec<&str> = self.sends.split(' ').filter(|word| !word.is_empty()).collect();
        for pair in words.chunks(2) {
            let (id, moment) = (ResourceId::new("relay", pair[0]), Moment::named(pair[1]).expect("a moment"));
            let action = Action::named("ring").expect("an action");
            let sent = NestedNotification { id: &id, action: &action, moment, tries: false, counts: true };
            self.mark("suspend", host)?;
            let result = host.around().expect("a run").notify(&sent);
            self.mark("resume", host)?;
            match result {
                Err(error) if self.catches => host.report(Level::Info, &format!("caught {}", error.chain())),
                result => assert!(result?, "{id} is declared"),
            }
        }
        Ok(())
    }
}

/// A relay that only rings when it is notified.
pub(crate) fn idle_relay(name: &str, sends: &str) -> Script {
    declare(id("relay", name)).set("sends", sends)
}

/// A relay that rings.
pub(crate) fn relay(name: &str, sends: &str) -> Script {
    idle_relay(name, sends).and(trigger(&id("relay", name), "ring"))
}

pub(crate) fn locked(script: Script, locks: &[Lock]) -> Script {
    script.handled(Handling { locks: locks.to_vec(), ..Handling::default() })
}

/// Detects overlapping visits that must not overlap.
#[derive(Clone, Default)]
pub(crate) struct Detector(Arc<(Mutex<Seen>, Condvar)>);

#[derive(Default)]
pub(crate) struct Seen {
    /// For each relay that is visited, whether it is suspended.
    visits: BTreeMap<String, bool>,
    locks: BTreeMap<String, Vec<Lock>>,
    jobs: usize,
    pub(crate) rings: Vec<String>,
    pub(crate) complaints: Vec<String>,
}

/// Long enough for another thread to start a visit that it must not start.
const SHORT: Duration = Duration::from_millis(2);

impl Detector {
    /// An engine whose relays are observed; these hold locks.
    pub(crate) fn engine(&self, jobs: usize, locks: &[(&str, &[Lock])]) -> Engine {
        let mut seen = self.seen();
        seen.jobs = jobs;
        seen.locks = locks.iter().map(|(name, locks)| ((*name).to_owned(), locks.to_vec())).collect();
        drop(seen);
        engine(&SharedHost::with(|host| self.on(host)), jobs)
    }

    fn on(&self, mut host: MemoryHost) -> MemoryHost {
        for program in ["enter", "leave", "suspend", "resume"] {
            let detector = self.clone();
            host = host.program(program, move |call| {
                detector.mark(program, &call.command.args[0]);
                call.succeed("")
            });
        }
        host
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn mark(&self, program: &str, name: &str) {
        let mut seen = self.seen();
        match program {
            "enter" => {
                seen.rings.push(name.to_owned());
                if seen.visits.insert(name.to_owned(), false).is_some() {
                    seen.complaints.push(format!("{name} is visited twice at a time"));
                }
            }
            "leave" => _ = seen.visits.remove(name),
            _ => _ = seen.visits.insert(name.to_owned(), program == "suspend"),
        }
        seen.complain();
        self.0.1.notify_all();
        if program == "enter" {
            // Lets others start visits that they must not start.
            drop(self.0.1.wait_timeout(seen, SHORT));
        }
    }
}

impl Seen {
    fn complain(&mut self) {
        let executing: Vec<&String> =
            self.visits.iter().filter(|(_, suspended)| !**suspended).map(|(name, _)| name).collect();
        let mut complaints = Vec::new();
        if executing.len() > self.jobs {
            complaints.push(format!("{executing:?} execute with {} jobs", self.jobs));
        }
        let mut held: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for lock in executing.iter().filter_map(|name| self.locks.get(*name)).flatten() {
            held.entry(&lock.name).or_insert((0, lock.most.get())).0 += 1;
        }
        complaints.extend(
            held.iter()
                .filter(|(_, (now, most))| now > most)
                .map(|(lock, (now, _))| format!("{now} hold {lock}")),
        );
        self.complaints.extend(complaints);
    }
}
