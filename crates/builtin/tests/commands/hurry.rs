//! The real machine, on which no command may take long: as the engine has it for a resource with a `timeout`.

use std::time::Duration;

use uphold_host::LocalHost;
use uphold_resource::{
    Accounts, Clock, Command, Commands, Facts, FileEdits, Files, Host, Notes, Observe, Output, Probes,
    Request, Response, Result, Sink, UnitEdits, Units,
};

/// Far below what the scripts of the tests would take.
const TIMEOUT: Duration = Duration::from_millis(100);

pub(crate) struct Hurry(LocalHost);

impl Hurry {
    pub(crate) fn new() -> Self {
        Self(LocalHost::new())
    }
}

fn hurried(command: &Command) -> Command {
    Command { timeout: Some(TIMEOUT), ..command.clone() }
}

impl Observe for Hurry {
    fn overlay(&self) -> Box<dyn Host + '_> {
        self.0.overlay()
    }

    fn files(&self) -> &dyn Files {
        self.0.files()
    }
    fn probes(&self) -> &dyn Probes {
        self
    }
    fn accounts(&self) -> &dyn Accounts {
        self.0.accounts()
    }
    fn clock(&self) -> &dyn Clock {
        self.0.clock()
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

impl Host for Hurry {
    fn edits(&self) -> &dyn FileEdits {
        self.0.edits()
    }
    fn commands(&self) -> &dyn Commands {
        self
    }
    fn fill_random(&self, bytes: &mut [u8]) -> Result<()> {
        self.0.fill_random(bytes)
    }

    fn unit_edits(&self) -> &dyn UnitEdits {
        self.0.unit_edits()
    }
}

impl Probes for Hurry {
    fn probe(&self, command: &Command) -> Result<Output> {
        self.0.probe(&hurried(command))
    }
    fn listens(&self, host: &str, port: u16, patience: Duration) -> Result<bool> {
        self.0.listens(host, port, patience)
    }
    fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.0.fetch(request, sink)
    }
}

impl Commands for Hurry {
    fn run(&self, command: &Command) -> Result<Output> {
        self.0.run(&hurried(command))
    }
    fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.0.send(request, sink)
    }
}
