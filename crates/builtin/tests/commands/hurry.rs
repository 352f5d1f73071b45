//! The real machine, on which no command may take long: as the engine has it for a resource with a `timeout`.

use std::sync::Arc;
use std::time::Duration;

use uphold_host::LocalHost;
use uphold_resource::{Command, Commands, Machine, Output, Probes, Request, Response, Result, Sink};

/// Far below what the scripts of the tests would take.
const TIMEOUT: Duration = Duration::from_millis(100);

struct Hurry {
    probes: Arc<dyn Probes>,
    commands: Arc<dyn Commands>,
}

pub(crate) fn hurry() -> Machine {
    let mut machine = LocalHost::new().machine();
    let hurry = Arc::new(Hurry { probes: machine.probes, commands: machine.commands });
    machine.probes = hurry.clone();
    machine.commands = hurry;
    machine
}

fn hurried(command: &Command) -> Command {
    Command { timeout: Some(TIMEOUT), ..command.clone() }
}

impl Probes for Hurry {
    fn probe(&self, command: &Command) -> Result<Output> {
        self.probes.probe(&hurried(command))
    }
    fn listens(&self, host: &str, port: u16, patience: Duration) -> Result<bool> {
        self.probes.listens(host, port, patience)
    }
    fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.probes.fetch(request, sink)
    }
}

impl Commands for Hurry {
    fn run(&self, command: &Command) -> Result<Output> {
        self.commands.run(&hurried(command))
    }
    fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.commands.send(request, sink)
    }
}
