//! Isolation of commands from our terminal and open files.

use std::io;
use std::process::Command;

use process_wrap::std::{CommandWrap, CommandWrapper, ProcessSession};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

/// The first descriptor after standard input, output and error.
const FIRST_INHERITED: i32 = 3;

/// Makes `command` the leader of its own session and process group, without a controlling terminal: in ours, a command of
/// another user could type into the shell that started us (`TIOCSTI`).
///
/// The session is created after the user is switched and before the program runs, so no other process of that user can take
/// over the child in between. If it cannot be created, the command does not start.
///
/// # Errors
/// If the session cannot be set up.
pub(crate) fn in_own_session(command: &mut Command) -> io::Result<()> {
    // Only the first half of the wrapper is used: its child waits for the whole group, which ours handles differently.
    let unused = CommandWrap::with_new("", |_| ());
    ProcessSession.pre_spawn(command, &unused)
}

/// Keeps files that this process inherited from every command that is started from now on.
///
/// A program that embeds Uphold calls it once at its start, before it starts threads. This process itself can still read
/// them, such as a configuration at `/dev/fd/63`. Files that Uphold opens are never inherited.
pub fn keep_inherited_files_from_commands() {
    close_fds::set_fds_cloexec_threadsafe(FIRST_INHERITED, &[]);
}

/// Keeps the memory of this process, and the secrets in it, out of core dumps; other processes of the same user cannot read
/// it, either. Commands are not affected: a limit on the size of core dumps would be inherited by the services that they
/// start, and is ignored where the kernel passes dumps to a program.
pub fn keep_memory_private() {
    // If the kernel refuses, nothing changes.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}
