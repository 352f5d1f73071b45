//! A command in a host that goes on.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::host::Host;

/// How long something may take on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(20);

/// A command in a host that goes on, usually `uphold watch`. It is killed when this is dropped.
#[derive(Debug)]
pub struct Running<'host> {
    host: &'host Host,
    child: Child,
    /// As the host counts, for signals.
    id: String,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl<'host> Running<'host> {
    /// Starts a command whose first line is its own id.
    #[track_caller]
    pub(crate) fn start(host: &'host Host, mut command: Command) -> Self {
        // One pipe for both, so that lines come in the order in which they were written.
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        command.stdin(Stdio::null()).stdout(writer.try_clone().expect("a pipe can be shared")).stderr(writer);
        let child = command.spawn().expect("`nsenter` runs");
        // It holds the ends that are the child's now.
        drop(command);
        let (teller, lines) = channel();
        // Ends with the output; nobody listens any more if the test is over.
        thread::spawn(move || {
            BufReader::new(reader).lines().map_while(Result::ok).try_for_each(|line| teller.send(line))
        });
        let id = lines.recv_timeout(PATIENCE).expect("it says its id");
        Self { host, child, id, lines, said: Vec::new() }
    }

    /// Waits for the next line that contains this; those before it are passed over.
    ///
    /// # Panics
    /// If there is none within 20 seconds, with all lines so far.
    #[track_caller]
    pub fn await_line(&mut self, part: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => self.said.push(line),
                Err(_) => panic!("no line with {part:?}:\n{}", self.said.join("\n")),
            }
            if let Some(line) = self.said.last().filter(|line| line.contains(part)) {
                return line.clone();
            }
        }
    }

    /// Everything that it said so far.
    pub fn said(&mut self) -> String {
        self.said.extend(self.lines.try_iter());
        self.said.join("\n")
    }

    /// Sends it a signal, such as `HUP`.
    #[track_caller]
    pub fn signal(&self, name: &str) {
        self.host.ok(&format!("kill -{name} {}", self.id));
    }

    /// Ends it kindly (`TERM`); its exit code, and everything that it said.
    ///
    /// # Panics
    /// If it does not end within 20 seconds.
    #[track_caller]
    pub fn end(mut self) -> (i32, String) {
        self.signal("TERM");
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                self.said.extend(self.lines.iter());
                return (status.code().unwrap_or(-1), self.said.join("\n"));
            }
            assert!(Instant::now() < until, "it still runs:\n{}", self.said());
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
