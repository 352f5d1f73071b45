//! A machine of one's own: this one, with a clock that stands still.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold::resource::Clock;
use uphold::{Configuration, Keep, LocalHost, Mode};

/// Runs take no time at all, so their reports are always the same.
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
    let engine = uphold::builder().host(machine).build();
    let text = "file \"/motd\" {\n  content = \"Welcome.\\n\"\n}\n";
    let configuration = Configuration::from_texts([("motd.hcl".to_owned(), text.to_owned())])?;
    let (program, diagnostics) = engine.check(configuration.statements, Keep::All);
    let program = program.ok_or_else(|| format!("{diagnostics:?}"))?;
    let mut last = Duration::MAX;
    let summary = engine.run(&program, Mode::Apply, &mut |event| last = event.at);
    println!("{} created, after {last:?}", summary.created);
    assert_eq!((summary.created, last), (1, Duration::ZERO));
    Ok(())
}
