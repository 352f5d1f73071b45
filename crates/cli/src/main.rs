//! The uphold command.

use std::process::ExitCode;

/// A run makes many small values in several threads; this halves what that costs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    uphold_cli::Runner::new().run()
}
