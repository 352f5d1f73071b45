//! Commands on a machine in memory.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use uphold_resource::{
    Command, Commands, Error, ErrorKind, Exit, Output, Probes, Request, Response, Result, Sink,
};

use super::MemoryHost;
use super::journal::{Edit, Was};
use super::shell;
use crate::tree::{Owner, Trust};

/// The function that implements a program.
pub(crate) type Program = dyn Fn(&Call<'_>) -> Output + Send + Sync;

/// A program that is running.
pub struct Call<'a> {
    /// The command that started it.
    pub command: &'a Command,
    /// The machine that it runs on. Its writes are recorded under its name.
    pub host: &'a MemoryHost,
}

impl Call<'_> {
    /// Exits with status 0 after printing `stdout`.
    pub fn succeed(&self, stdout: impl AsRef<[u8]>) -> Output {
        Output::new(Exit::Code(0), stdout.as_ref(), "")
    }

    /// Exits with this status after printing `stderr`.
    pub fn fail(&self, status: i32, stderr: impl AsRef<[u8]>) -> Output {
        Output::new(Exit::Code(status), "", stderr.as_ref())
    }

    /// The owner of files that the program creates.
    pub(crate) fn owner(&self) -> Owner {
        match self.command.run_as {
            Some((uid, gid)) => Owner { uid, gid },
            None => self.host.lock().process(),
        }
    }
}

impl Probes for MemoryHost {
    fn probe(&self, command: &Command) -> Result<Output> {
        self.execute(command, &self.startable(command)?)
    }

    fn listens(&self, host: &str, port: u16, _: Duration) -> Result<bool> {
        Ok(self.lock().listening.contains(&(host.to_owned(), port)))
    }

    fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.serve(request, sink)
    }
}

impl Commands for MemoryHost {
    fn run(&self, command: &Command) -> Result<Output> {
        let program = self.startable(command)?;
        {
            let mut state = self.lock();
            let path = Path::new(&command.program);
            state.meet_fault(Edit::Run, path)?;
            state.record(Edit::Run, path, Was::Started, false);
        }
        self.execute(command, &program)
    }

    fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        {
            let mut state = self.lock();
            let path = Path::new(request.url.as_str());
            state.meet_fault(Edit::Send, path)?;
            state.record(Edit::Send, path, Was::Started, false);
        }
        self.serve(request, sink)
    }
}

impl MemoryHost {
    /// The program of a command: an answer to all of it, else a program, else an answer to its beginning. A command without one
    /// is recorded.
    pub(crate) fn program_of(&self, command: &Command) -> Option<Arc<Program>> {
        let exact = self.answer_to(command);
        let found =
            exact.or_else(|| self.find_program(&command.program)).or_else(|| self.answer_like(command));
        if found.is_none() {
            self.note_unanswered(command);
        }
        found
    }

    /// The program with this path, else with this name.
    fn find_program(&self, program: &str) -> Option<Arc<Program>> {
        let name = Path::new(program).file_name()?.to_str()?;
        let found = self.programs.get(program).or_else(|| self.programs.get(name));
        found.cloned().or_else(|| (name == "sh").then(|| Arc::new(shell::run) as Arc<Program>))
    }

    fn startable(&self, command: &Command) -> Result<Arc<Program>> {
        let fail =
            |why: String| Error::new(ErrorKind::Missing, format!("cannot run {}: {why}", command.program));
        if let Some(dir) = &command.dir {
            let state = self.lock();
            let found = state.world.tree.walk(dir, Trust::Anyone);
            if !found.is_ok_and(|inode| state.world.tree.get(inode).is_directory()) {
                return Err(fail(format!("the directory {} does not exist", dir.display())));
            }
        }
        self.program_of(command).ok_or_else(|| fail("it does not exist".to_owned()))
    }

    /// Runs a program without the lock, and under its name.
    pub(crate) fn execute(&self, command: &Command, program: &Arc<Program>) -> Result<Output> {
        let _running = Running::begin(self, &command.program);
        Ok(program(&Call { command, host: self }))
    }
}

/// A running program or server, until this is dropped, even by a panic.
pub(super) struct Running<'a>(&'a MemoryHost);

impl<'a> Running<'a> {
    pub(super) fn begin(host: &'a MemoryHost, program: &str) -> Self {
        host.lock().running.push(program.to_owned());
        Self(host)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.lock().running.pop();
    }
}
