//! A machine of one's own behind the doors: this one, with a clock that stands still.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::time::{Duration, SystemTime};

use uphold::resource::{Clock, Host, Observe};
use uphold::{Configuration, Keep, LocalHost, Mode};

/// Runs on it take no time at all, so what they report is always the same.
struct Timeless(LocalHost);

impl Clock for Timeless {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

impl Observe for Timeless {
    uphold::resource::delegate!(self => self.0; overlay files probes accounts facts units notes);

    fn clock(&self) -> &dyn Clock {
        self
    }
}

impl Host for Timeless {
    uphold::resource::delegate!(self => self.0; edits commands unit_edits fill_random);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = uphold::builder().host(Timeless(LocalHost::rooted(root.path())?)).build();
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
