//! Scripts that contain a secret.
//!
//! Every local user can read the arguments of a command in `/proc/PID/cmdline`; only root and the user that it runs as can
//! read its environment. So such a script is passed in a variable, and the interpreter gets a line that runs it from there.
//! That needs no `/proc`, and leaves standard input to the script.

use std::path::Path;

use uphold_resource::{Command, Error, ErrorKind, Result};

/// The variable with the script. It is removed before the script runs, so that no program inherits it.
const VARIABLE: &str = "UPHOLD_SCRIPT";

/// A family of interpreters that take a script from an argument.
struct Interpreter {
    /// Names of its programs, without a version.
    names: &'static [&'static str],
    /// The last letters of flags that precede a script.
    flags: &'static [char],
    /// The script that runs the one in the variable.
    loader: &'static str,
}

const INTERPRETERS: [Interpreter; 4] = [
    Interpreter {
        names: &["sh", "ash", "bash", "dash", "ksh", "mksh", "zsh"],
        flags: &['c'],
        loader: "eval \"unset UPHOLD_SCRIPT\n$UPHOLD_SCRIPT\"",
    },
    Interpreter {
        names: &["python"],
        flags: &['c'],
        loader: "import os; exec(os.environ.pop('UPHOLD_SCRIPT'))",
    },
    Interpreter {
        names: &["perl"],
        flags: &['e', 'E'],
        loader: "eval delete $ENV{UPHOLD_SCRIPT}; die $@ if $@;",
    },
    Interpreter {
        names: &["ruby"],
        flags: &['e'],
        loader: "eval(ENV.delete('UPHOLD_SCRIPT'), TOPLEVEL_BINDING)",
    },
];

/// Moves the last argument of a command, a script, to its environment.
///
/// # Errors
/// If the interpreter is unknown, so that the script would be visible.
pub(crate) fn conceal(command: &Command) -> Result<Command> {
    let unknown = || {
        let what = format!(
            "cannot run {}: its script contains a secret, and every local user can read arguments",
            command.program
        );
        let hint = "pass the secret in a variable of `env`, or use a shell, Python, Perl or Ruby";
        Error::new(ErrorKind::Exposed, what).hint(hint)
    };
    let interpreter = interpreter(&command.program).ok_or_else(unknown)?;
    let mut concealed = command.clone();
    let script = concealed.args.pop().ok_or_else(unknown)?;
    let takes_script =
        |flag: &String| flag.starts_with('-') && !flag.starts_with("--") && flag.ends_with(interpreter.flags);
    concealed.args.last().filter(|flag| takes_script(flag)).ok_or_else(unknown)?;
    concealed.args.push(interpreter.loader.to_owned());
    concealed.env.insert(VARIABLE.to_owned(), script);
    Ok(concealed)
}

fn interpreter(program: &str) -> Option<&'static Interpreter> {
    let name = Path::new(program).file_name()?.to_str()?;
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    INTERPRETERS.iter().find(|interpreter| interpreter.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_scripts_of_known_interpreters_in_a_variable() {
        let check = |program: &str, flags: &[&str], fine: bool| {
            let command = Command::new(program, flags.iter().copied().chain(["echo hunter2"]));
            match conceal(&command) {
                Ok(concealed) => {
                    assert!(fine, "{program} {flags:?}");
                    assert_eq!(concealed.args.len(), command.args.len());
                    assert!(!concealed.args.iter().any(|arg| arg.contains("hunter2")), "{concealed:?}");
                    assert_eq!(concealed.env[VARIABLE], "echo hunter2");
                }
                Err(error) => {
                    assert!(!fine, "{program} {flags:?}");
                    assert_eq!(error.kind(), ErrorKind::Exposed);
                    assert!(!error.chain().contains("hunter2"), "{}", error.chain());
                }
            }
        };
        check("/bin/sh", &["-c"], true);
        check("bash", &["-euo", "pipefail", "-c"], true);
        check("bash", &["-euc"], true);
        check("python3.11", &["-c"], true);
        check("/usr/bin/perl", &["-we"], true);
        check("ruby", &["-e"], true);
        check("/bin/sh", &[], false);
        check("/bin/sh", &["--rc"], false);
        check("perl", &["-c"], false);
        check("node", &["-e"], false);
        check("/opt/run", &[], false);
    }
}
