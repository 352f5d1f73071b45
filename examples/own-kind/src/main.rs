//! The uphold command with the kinds of a vendor. Try `cargo run -- explain logrotate`.

use std::process::ExitCode;

use own_kind::{Logrotate, Switch};
use uphold_kit::resource::KindError;

fn main() -> Result<ExitCode, KindError> {
    Ok(uphold_cli::Runner::new().resource::<Logrotate>()?.resource::<Switch>()?.run())
}
