//! Temporary files of killed runs.

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use uphold_resource::{Act, Stop};

use crate::program::Program;

/// A thread of its own reads at least this many directories.
const WORTH_A_THREAD: usize = 32;

/// Removes temporary files that killed runs left beside managed paths: contents, some of them secret, that nothing else would
/// ever remove. Each directory is read once, in up to `jobs` threads.
pub(crate) fn remove(program: &Program, host: &Act<'_>, stop: &Stop, jobs: NonZeroUsize) {
    let directories: Vec<&Path> = program.managed.directories(&program.set).into_iter().collect();
    let remove_all = |share: &[&Path]| {
        for directory in share.iter().take_while(|_| !stop.is_requested()) {
            host.edits().remove_leftovers(directory);
        }
    };
    let mut shares = directories.chunks(directories.len().div_ceil(jobs.get()).max(WORTH_A_THREAD));
    let own = shares.next().unwrap_or_default();
    thread::scope(|scope| {
        for share in shares {
            if thread::Builder::new().spawn_scoped(scope, || remove_all(share)).is_err() {
                remove_all(share);
            }
        }
        remove_all(own);
    });
}
