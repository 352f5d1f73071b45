//! The real machine with a short time limit for all commands, as the engine sets it for a resource with a
//! `timeout`.

use std::sync::Arc;
use std::time::Duration;

use uphold_host::LocalHost;
use uphold_resource::{Command, Commands, Machine, Output, Probes, Request, Response, Result, Sink};

/// Far less than the scripts of the tests take.
const TIMEOUT: Duration = Duration::from_millis(100);

struct ShortTimeout {
    probes: Arc<dyn Probes>,
    commands: Arc<dyn Commands>,
}

pub(crate) fn short_timeout() -> Machine {
    let mut machine = LocalHost::new().machine();
    let short_timeout = Arc::new(ShortTimeout { probes: machine.probes, commands: machine.commands });
    machine.probes = short_timeout.clone();
    machine.commands = short_timeout;
    machine
}

fn limited(command: &Command) -> Command {
    Command { timeout: Some(TIMEOUT), ..command.clone() }
}

impl Probes for ShortTimeout {
    fn probe(&self, command: &Command) -> Result<Output> {
        self.probes.probe(&limited(command))
    }
    fn listens(&self, host: &str, port: u16, patience: Duration) -> Result<bool> {
        self.probes.listens(host, port, patience)
    }
    fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.probes.fetch(request, sink)
    }
}

impl Commands for ShortTimeout {
    fn run(&self, command: &Command) -> Result<Output> {
        self.commands.run(&limited(command))
    }
    fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.commands.send(request, sink)
    }
}
