//! The real machine, on which no command may take long: as the engine has it for a resource with a `timeout`.

use std::time::Duration;

use uphold_host::LocalHost;
use uphold_resource::{Command, Commands, Host, Observe, Output, Probes, Request, Response, Result, Sink};

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
    uphold_resource::delegate!(self => self.0; overlay files accounts clock facts units notes);

    fn probes(&self) -> &dyn Probes {
        self
    }
}

impl Host for Hurry {
    uphold_resource::delegate!(self => self.0; edits unit_edits fill_random);

    fn commands(&self) -> &dyn Commands {
        self
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
