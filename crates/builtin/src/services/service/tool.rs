//! The commands of init systems that have no better door.

use uphold_resource::{Command, Error, ErrorKind, Exit, Host, Observe, Output, Result};

use super::resource::Service;

/// A command whose words can be relied upon, and that has as much time as the service.
pub(super) fn command(service: &Service, program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program, args.iter().copied());
    command.env.insert("LC_ALL".to_owned(), "C".to_owned());
    command.timeout = Some(service.patience);
    command
}

/// What a command that only looks says.
pub(super) fn ask(command: &Command, host: &dyn Observe) -> Result<Output> {
    host.probes().probe(command)
}

/// Runs a command that must succeed; `what` was attempted.
pub(super) fn tell(command: &Command, what: &str, host: &dyn Host) -> Result<()> {
    let output = host.commands().run(command)?;
    match output.exit {
        Exit::Code(0) => Ok(()),
        Exit::TimedOut => {
            Err(Error::new(ErrorKind::TimedOut, what).because("it took too long").hint("raise `patience`"))
        }
        _ => Err(Error::new(ErrorKind::Rejected, what).because(said(&output))),
    }
}

/// What a command said on its way out.
pub(super) fn said(output: &Output) -> String {
    let text = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
    let text = String::from_utf8_lossy(text).trim().to_owned();
    match (text.is_empty(), output.exit) {
        (false, _) => text,
        (true, Exit::Code(status)) => format!("it ended with status {status}"),
        (true, _) => "it was ended".to_owned(),
    }
}
