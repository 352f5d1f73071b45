//! Measures the overhead of the engine: `run_cost idle|sleep COUNT JOBS` runs COUNT resources that do nothing, or that
//! sleep for 10 ms, and prints the duration of the run in nanoseconds. `cargo xtask bench run` calls it.
#![expect(clippy::disallowed_methods, reason = "a benchmark, which measures real time")]

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use uphold_engine::{Engine, Keep, Mode};
use uphold_model::{Action, Declaration, Meta, ResourceId, Statement, ThinVec, Trigger};
use uphold_resource::{Act, Found, Look, Resource, Result, Step};
use uphold_testkit::MemoryHost;

/// Does nothing, and is always as declared.
#[derive(Resource)]
#[resource(kind = "idle", permanent)]
struct Idle {
    #[name]
    _name: String,
}

impl Resource for Idle {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::This(IdleState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

/// Sleeps when it is loaded.
#[derive(Resource)]
#[resource(kind = "sleep", permanent)]
struct Sleep {
    #[name]
    _name: String,
}

impl Resource for Sleep {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        thread::sleep(Duration::from_millis(10));
        Ok(Found::This(SleepState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, count, jobs] = &words[..] else { return ExitCode::FAILURE };
    let (Ok(count), Ok(jobs)) = (count.parse(), jobs.parse()) else { return ExitCode::FAILURE };
    match measure(kind, count, jobs) {
        Some(took) if writeln!(io::stdout(), "{}", took.as_nanos()).is_ok() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// The duration of a run; none if it failed.
fn measure(kind: &str, count: usize, jobs: NonZeroUsize) -> Option<Duration> {
    let engine = Engine::on(MemoryHost::new()).kind::<Idle>().ok()?.kind::<Sleep>().ok()?;
    let engine = engine.jobs(jobs);
    let (program, _) = engine.check((0..count).flat_map(|index| block(kind, index)).collect(), Keep::All);
    let program = program?;
    let began = Instant::now();
    let summary = engine.run(&program, Mode::Apply, &mut |_| {});
    (summary.ok == count).then_some(began.elapsed())
}

fn block(kind: &str, index: usize) -> [Statement; 2] {
    let id = ResourceId::new(kind, format!("r{index}"));
    let (attributes, meta) = (Vec::new(), Meta::default());
    let declaration = Declaration { id: id.clone(), place: None, attributes: attributes.into(), meta };
    let trigger =
        Trigger { id, action: Action::Converge, place: None, depends_on: ThinVec::default(), when: None };
    [Statement::Declare(declaration), Statement::Trigger(trigger)]
}
