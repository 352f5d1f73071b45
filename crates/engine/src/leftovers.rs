//! What killed runs left beside managed paths.

use uphold_resource::{Act, Stop};

use crate::program::Program;

/// Removes temporaries that killed runs left beside what the program manages: contents, some of them secret, that
/// nobody else would ever remove. Each directory is read once.
pub(crate) fn remove(program: &Program, host: &Act<'_>, stop: &Stop) {
    for directory in program.managed().directories(&program.set) {
        if stop.is_requested() {
            return;
        }
        host.edits().remove_leftovers(directory);
    }
}
