//! The uphold command.

use std::process::ExitCode;

fn main() -> ExitCode {
    uphold_cli::Runner::new().run()
}
