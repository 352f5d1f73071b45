//! A machine of your own: this one with a fixed clock, so that the reports of a run are reproducible.

use std::sync::Arc;
use std::time::{Duration, SystemTime};
use uphold::resource::Clock;
use uphold::{Configuration, Engine, LocalHost};

struct Frozen;

impl Clock for Frozen {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let mut machine = LocalHost::rooted(root.path())?.machine();
    machine.clock = Arc::new(Frozen);
    let engine = Engine::on(machine).build();
    let motd =
        Configuration::from_text(&engine, "motd.hcl", "file \"/motd\" { content = \"Hi\" }\n")?.check()?;
    let mut last = Duration::MAX;
    motd.apply(&mut |event| last = event.at)?;
    assert_eq!(last, Duration::ZERO);
    Ok(())
}
