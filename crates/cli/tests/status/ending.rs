//! Missing, killed and second watches.

use std::process::Command;

use uphold_testbed::own_state;

use super::stage::Stage;

const MOTD: &str = "file \"/motd\" { content = \"hi\\n\" }\n";

#[test]
fn without_a_watch_there_is_an_error_with_a_hint() {
    let mut stage = Stage::new(MOTD, &[]);
    stage.end();
    assert!(!stage.socket().exists(), "the socket ends with the watch");
    let (code, out, err) = stage.ask(&[]);
    assert_eq!((code, out.as_str()), (1, ""));
    let socket = stage.socket();
    let message = format!("error: cannot ask the watch at {}: no watch is running there\n", socket.display());
    assert!(err.starts_with(&message) && err.contains("  hint: start one with `uphold watch`, "), "{err}");
}

#[test]
fn a_second_watch_reports_the_first() {
    let stage = Stage::new(MOTD, &[]);
    let mut second = Command::new(env!("CARGO_BIN_EXE_uphold"));
    second.arg("watch").arg(stage.path("main.hcl")).arg("--root").arg(stage.path("root"));
    second.arg("--plain").arg("--socket").arg(stage.socket());
    let output = own_state(&mut second, &stage.path("")).output().expect("it runs");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(err.starts_with("error: a watch manages this machine: uphold watch "), "{err}");
    assert!(err.contains(&format!("(pid {}, ", stage.pid())), "{err}");
    assert_eq!(stage.ask(&[]).0, 0, "the first goes on");
}

#[test]
fn the_socket_of_a_killed_watch_is_replaced() {
    let mut stage = Stage::new(MOTD, &[]);
    stage.kill();
    assert!(stage.socket().exists());
    assert_eq!(stage.ask(&[]).0, 1);
    stage.start(&[]);
    assert_eq!(stage.ask(&[]).0, 0);
}
