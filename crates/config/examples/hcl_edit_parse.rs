//! Parses a file with `hcl-edit`: the baseline of `cargo xtask bench language`. Prints the peak memory.

mod peak;

use std::process::ExitCode;

#[expect(clippy::disallowed_methods, reason = "a program of its own, without a host")]
fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else { return ExitCode::FAILURE };
    let Ok(text) = std::fs::read_to_string(path) else { return ExitCode::FAILURE };
    let parsed: Result<hcl_edit::structure::Body, _> = text.parse();
    match parsed {
        Ok(body) if !body.is_empty() && peak::print() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
