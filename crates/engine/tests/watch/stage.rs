//! A watch on a machine in memory: scripted changes at each wait, and the events of the engine.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use uphold_engine::{Control, Engine, Event, Summary, WatchRequest};
use uphold_resource::{Clock, Files, Output, Registry, Stop};
use uphold_testkit::{Call, MemoryHost};

use super::copies::Copy;
use super::kinds::{Folder, Lamp, Note, Pack};
use super::nested::SenderKind;
use super::program::program;
use super::transcript::{Transcript, line};

/// One step of the script: the changes at one wait.
type Step = Box<dyn FnOnce(&Scene<'_>) + Send>;

/// The answer to a kind that asks `look`, `looked`, `write`, `wrote` or `shout`, with its name.
type Answer = dyn Fn(&Call<'_>, &str, &str) -> Output + Send + Sync;

/// Longer than any test takes, also on a busy machine.
const LONG: Duration = Duration::from_secs(20);

/// A machine, a script and an engine. After its last step the watch is stopped.
pub(crate) struct Stage {
    steps: VecDeque<Step>,
    answer: Arc<Answer>,
    request: WatchRequest,
    jobs: usize,
    real: bool,
    prepare: Box<dyn FnOnce(MemoryHost) -> MemoryHost>,
}

/// The interface of a step.
pub(crate) struct Scene<'a> {
    pub(crate) host: &'a MemoryHost,
    /// The longest wait that the engine requested.
    pub(crate) span: Option<Duration>,
    pub(crate) control: &'a Control,
    pub(crate) stop: &'a Stop,
    engine: &'a Engine,
}

impl Scene<'_> {
    /// Advances the time by the wait of the engine.
    #[track_caller]
    pub(crate) fn pass(&self) {
        self.host.advance(self.span.expect("the engine waits for some time"));
    }

    /// Gives the engine a new configuration.
    #[track_caller]
    pub(crate) fn swap(&self, text: &str) -> u64 {
        self.control.swap(program(self.engine, text))
    }

    /// Gives the engine a new configuration with other kinds.
    #[track_caller]
    pub(crate) fn swap_with(&self, kinds: Registry, text: &str) -> u64 {
        self.control.swap(program(&self.engine.clone().kinds(kinds), text))
    }
}

/// All events and questions, in order.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Transcript>>);

impl Log {
    pub(crate) fn write<T>(&self, write: impl FnOnce(&mut Transcript) -> T) -> T {
        write(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Stage {
    /// A machine with the directory `/d`; resources are only visited because of events.
    pub(crate) fn new() -> Self {
        Self {
            steps: VecDeque::new(),
            answer: Arc::new(|call, _, _| call.succeed("")),
            request: WatchRequest { recheck: None, ..WatchRequest::default() },
            jobs: 1,
            real: false,
            prepare: Box::new(|host| host),
        }
    }

    /// With more files on the machine.
    pub(crate) fn on(self, prepare: impl FnOnce(MemoryHost) -> MemoryHost + 'static) -> Self {
        Self { prepare: Box::new(prepare), ..self }
    }

    /// With these options of the watch.
    pub(crate) fn request(self, change: impl FnOnce(&mut WatchRequest)) -> Self {
        let mut request = self.request;
        change(&mut request);
        Self { request, ..self }
    }

    /// With real threads and real time; the test has to end the watch. After a long time without events it ends by
    /// itself: then an event was lost.
    pub(crate) fn jobs(self, jobs: usize) -> Self {
        let stage = self.request(|request| request.max_runtime = Some(LONG));
        Self { jobs, real: true, ..stage }
    }

    /// Sets the answers to kinds.
    pub(crate) fn answer(
        self,
        answer: impl Fn(&Call<'_>, &str, &str) -> Output + Send + Sync + 'static,
    ) -> Self {
        Self { answer: Arc::new(answer), ..self }
    }

    /// Adds a step for the next wait.
    pub(crate) fn then(mut self, step: impl FnOnce(&Scene<'_>) + Send + 'static) -> Self {
        self.steps.push_back(Box::new(step));
        self
    }

    /// Adds a step that only advances the time by the wait of the engine.
    #[track_caller]
    pub(crate) fn pass(self) -> Self {
        self.then(|scene| scene.pass())
    }

    /// Watches a configuration until the script or the request ends it.
    #[track_caller]
    pub(crate) fn watch(self, text: &str) -> Transcript {
        self.watch_with(text, |_, _| {})
    }

    /// Watches a configuration, and passes each event to a function.
    #[track_caller]
    pub(crate) fn watch_with(
        self,
        text: &str,
        mut hear: impl FnMut(&Event, &Scene<'_>) + Send,
    ) -> Transcript {
        let (log, stop, control) = (Log::default(), Stop::default(), Control::default());
        let host =
            Arc::new(equip((self.prepare)(MemoryHost::new().directory("/d", 0o755)), &self.answer, &log));
        let engine = engine(&host, &stop, self.jobs);
        let program = program(&engine, text);
        match self.real {
            true => host.wait_for_real(),
            false => play(&host, self.steps, log.clone(), (engine.clone(), control.clone(), stop.clone())),
        }
        let summary = engine.watch(program, &self.request, &control, &mut |event| {
            log.write(|transcript| transcript.hear(event, line(event)));
            hear(event, &Scene { host: &host, span: None, control: &control, stop: &stop, engine: &engine });
        });
        // Breaks the cycle of references: the script owns the engine, which owns the machine, which owns the script.
        host.wait_for_real();
        let summary: Summary = summary.expect("a machine in memory can be watched");
        log.write(|transcript| Transcript { summary, host: Some(host), ..std::mem::take(transcript) })
    }
}

/// The machine with the programs that kinds call.
fn equip(host: MemoryHost, answer: &Arc<Answer>, log: &Log) -> MemoryHost {
    ["look", "looked", "write", "wrote", "shout"].into_iter().fold(host, |host, word| {
        let (answer, log) = (Arc::clone(answer), log.clone());
        host.program(word, move |call| {
            let name = call.command.args.first().cloned().unwrap_or_default();
            let watched = !name.starts_with('/') || call.host.is_watched(&name);
            log.write(|transcript| transcript.ask(word, &name, watched));
            answer(call, word, &name)
        })
    })
}

fn engine(host: &Arc<MemoryHost>, stop: &Stop, jobs: usize) -> Engine {
    Engine::on(host.machine())
        .kind::<Note>()
        .and_then(Engine::kind::<Folder>)
        .and_then(Engine::kind::<Lamp>)
        .and_then(Engine::kind::<Pack>)
        .and_then(Engine::kind::<Copy>)
        .and_then(Engine::kind::<SenderKind>)
        .expect("the kinds are sound")
        .stop(stop.clone())
        .jobs(NonZeroUsize::new(jobs).expect("at least one"))
}

/// Too many waits without a step are a defect of the engine: a busy loop.
const MOST_WAITS: usize = 10_000;

fn play(host: &MemoryHost, steps: VecDeque<Step>, log: Log, hands: (Engine, Control, Stop)) {
    let (mut steps, mut waits) = (steps, 0);
    host.on_wait(move |host, span| {
        waits += 1;
        assert!(
            waits < MOST_WAITS,
            "it waits for ever: {:?}",
            log.write(|transcript| transcript.lines.clone())
        );
        let (engine, control, stop) = &hands;
        match steps.pop_front() {
            Some(step) => {
                log.write(|transcript| transcript.lines.push("-".to_owned()));
                step(&Scene { host, span, control, stop, engine });
            }
            None => stop.request(),
        }
    });
}

impl Transcript {
    /// The content of a file at the end.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.host().read(path.as_ref(), 0).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The duration in simulated time.
    pub(crate) fn elapsed(&self) -> Duration {
        self.host().elapsed()
    }

    pub(crate) fn host(&self) -> &MemoryHost {
        self.host.as_deref().expect("the watch is over")
    }
}
