//! Prepares the root of all hosts, so that no test waits for it; or opens a shell in a disposable host.

use std::process::ExitCode;

use uphold_testbed::{Bed, Root, Unavailable};

const USAGE: &str = "usage: uphold-testbed                   build and unpack the root of all hosts
       uphold-testbed plain [UPHOLD]    open a shell in a disposable host, with this binary as `uphold`
       uphold-testbed systemd [UPHOLD]  open a shell in a host with systemd";

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command reports its result")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        [] => Root::debian().map(|root| println!("the root of all hosts is {}", root.directory().display())),
        [init @ ("plain" | "systemd")] => shell(init, "/bin/true"),
        [init @ ("plain" | "systemd"), binary] => shell(init, binary),
        _ => Err(Unavailable::new(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn shell(init: &str, binary: &str) -> Result<(), Unavailable> {
    let bed = Bed::try_new(binary)?;
    let host = if init == "systemd" { bed.systemd("shell") } else { bed.plain("shell") };
    host.shell();
    Ok(())
}
