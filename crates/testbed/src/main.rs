//! Prepares the root that hosts stand on, so that no test has to wait for it.

use std::process::ExitCode;

use uphold_testbed::Root;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it says how it went")]
fn main() -> ExitCode {
    match Root::debian() {
        Ok(root) => {
            println!("hosts stand on {}", root.directory().display());
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("error: there can be no hosts here: {why}");
            ExitCode::FAILURE
        }
    }
}
