//! A command that keeps running in a host.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::host::Host;

/// The longest wait for a line or an exit. It is generous: the machine may be busy.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A command that keeps running in a host, usually `uphold watch`. It is killed when this is dropped.
#[derive(Debug)]
pub struct Running<'host> {
    host: &'host Host,
    child: Child,
    /// The process id in the host's namespace, for signals.
    id: String,
    lines: Receiver<String>,
    output: Vec<String>,
}

impl<'host> Running<'host> {
    /// Starts a command that prints its process id first.
    #[track_caller]
    pub(crate) fn start(host: &'host Host, mut command: Command) -> Self {
        // One pipe for both outputs keeps the order of the lines.
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        command.stdin(Stdio::null()).stdout(writer.try_clone().expect("a pipe can be shared")).stderr(writer);
        let child = command.spawn().expect("`nsenter` runs");
        // The command still holds the writing ends, and so would keep the pipe open.
        drop(command);
        let (sender, lines) = channel();
        // Ends with the output, or when the receiver is dropped.
        thread::spawn(move || {
            BufReader::new(reader).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let id = lines.recv_timeout(TIMEOUT).expect("the command prints its process id");
        Self { host, child, id, lines, output: Vec::new() }
    }

    /// Waits for the next line that contains `part`; skips earlier lines.
    ///
    /// # Panics
    /// If there is none within 20 seconds; the message has all lines so far.
    #[track_caller]
    pub fn await_line(&mut self, part: &str) -> String {
        let until = Instant::now() + TIMEOUT;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => self.output.push(line),
                Err(_) => panic!("no line with {part:?}:\n{}", self.output.join("\n")),
            }
            if let Some(line) = self.output.last().filter(|line| line.contains(part)) {
                return line.clone();
            }
        }
    }

    /// Its output so far.
    pub fn output(&mut self) -> String {
        self.output.extend(self.lines.try_iter());
        self.output.join("\n")
    }

    /// Sends a signal, such as `HUP`.
    #[track_caller]
    pub fn signal(&self, name: &str) {
        self.host.ok(&format!("kill -{name} {}", self.id));
    }

    /// Ends it gracefully with `TERM`; returns its exit code and its whole output.
    ///
    /// # Panics
    /// If it does not end within 20 seconds.
    #[track_caller]
    pub fn end(mut self) -> (i32, String) {
        self.signal("TERM");
        let until = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().expect("it is a child process") {
                self.output.extend(self.lines.iter());
                return (status.code().unwrap_or(-1), self.output.join("\n"));
            }
            assert!(Instant::now() < until, "it still runs:\n{}", self.output());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.host.run(&format!("kill -KILL {}", self.id));
            let _ = self.child.wait();
        }
    }
}
