//! Prepares the root that hosts stand on, so that no test has to wait for it; or opens a shell in a throw-away host.

use std::process::ExitCode;

use uphold_testbed::{Bed, Root, Why};

const USAGE: &str = "usage: uphold-testbed                   build and unpack what hosts stand on
       uphold-testbed plain [UPHOLD]    a shell in a throw-away host, with this binary as `uphold`
       uphold-testbed systemd [UPHOLD]  the same in one that systemd has booted";

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it says how it went")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        [] => Root::debian().map(|root| println!("hosts stand on {}", root.directory().display())),
        [init @ ("plain" | "systemd")] => shell(init, "/bin/true"),
        [init @ ("plain" | "systemd"), binary] => shell(init, binary),
        _ => Err(Why::new(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn shell(init: &str, binary: &str) -> Result<(), Why> {
    let bed = Bed::try_new(binary)?;
    let host = if init == "systemd" { bed.systemd("shell") } else { bed.plain("shell") };
    host.shell();
    Ok(())
}
