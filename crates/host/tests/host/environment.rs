use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use uphold_host::{current_directory, environment, environment_with_prefix};

/// The case that this process is for. A process cannot safely change its own environment, so the test starts itself again
/// for each.
const CASE: &str = "UPHOLD_TEST_CASE";

#[test]
fn reads_variables() {
    match environment(CASE).as_deref() {
        Some("sound") => in_a_valid_environment(),
        Some(_) => with_a_param_that_is_not_utf8(),
        None => {
            again("sound", b"ODD", b"\xff");
            again("odd value", b"UPHOLD_PARAM_ODD", b"\xff");
            again("odd name", b"UPHOLD_PARAM_\xff", b"odd");
        }
    }
}

fn again(case: &str, name: &[u8], value: &[u8]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "host::environment::reads_variables", "--nocapture"]).current_dir("/");
    command
        .env(CASE, case)
        .env("UPHOLD_PARAM_b", "2")
        .env("UPHOLD_PARAM_A", "1=1")
        .env("UPHOLD_PARAMS", "no");
    let output = command.env(OsStr::from_bytes(name), OsStr::from_bytes(value)).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{case}: {text}");
}

fn in_a_valid_environment() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let found = environment_with_prefix("UPHOLD_PARAM_").unwrap();
    assert_eq!(found, [pair("UPHOLD_PARAM_A", "1=1"), pair("UPHOLD_PARAM_b", "2")]);
    assert_eq!(environment("UPHOLD_PARAMS").as_deref(), Some("no"));
    for name in ["ODD", "UPHOLD_NONE", "a=b", ""] {
        assert_eq!(environment(name), None, "{name}");
    }
    assert_eq!(current_directory().unwrap(), std::path::Path::new("/"));
}

fn with_a_param_that_is_not_utf8() {
    let error = environment_with_prefix("UPHOLD_PARAM_").unwrap_err();
    assert!(error.to_string().starts_with("the environment variable UPHOLD_PARAM_"), "{error}");
}
