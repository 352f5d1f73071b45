//! A machine of one's own behind the doors: this one, with a clock that stands still.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::time::{Duration, SystemTime};

use uphold::resource::{
    Accounts, Clock, Commands, Facts, FileEdits, Files, Host, Notes, Observe, Probes, UnitEdits, Units,
};
use uphold::{Configuration, LocalHost, Mode};

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
    fn overlay(&self) -> Box<dyn Host + '_> {
        self.0.overlay()
    }

    fn files(&self) -> &dyn Files {
        self.0.files()
    }

    fn probes(&self) -> &dyn Probes {
        self.0.probes()
    }

    fn accounts(&self) -> &dyn Accounts {
        self.0.accounts()
    }

    fn clock(&self) -> &dyn Clock {
        self
    }

    fn facts(&self) -> &dyn Facts {
        self.0.facts()
    }

    fn units(&self) -> &dyn Units {
        self.0.units()
    }

    fn notes(&self) -> &Notes {
        self.0.notes()
    }
}

impl Host for Timeless {
    fn edits(&self) -> &dyn FileEdits {
        self.0.edits()
    }

    fn commands(&self) -> &dyn Commands {
        self.0.commands()
    }

    fn fill_random(&self, bytes: &mut [u8]) -> uphold::resource::Result<()> {
        self.0.fill_random(bytes)
    }

    fn unit_edits(&self) -> &dyn UnitEdits {
        self.0.unit_edits()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = uphold::builder().host(Timeless(LocalHost::rooted(root.path())?)).build();
    let text = "file \"/motd\" {\n  content = \"Welcome.\\n\"\n}\n";
    let configuration = Configuration::from_texts([("motd.hcl".to_owned(), text.to_owned())])?;
    let (program, diagnostics) = engine.check(configuration.statements);
    let program = program.ok_or_else(|| format!("{diagnostics:?}"))?;
    let mut last = Duration::MAX;
    let summary = engine.run(&program, Mode::Apply, &mut |event| last = event.at);
    println!("{} created, after {last:?}", summary.created);
    assert_eq!((summary.created, last), (1, Duration::ZERO));
    Ok(())
}
