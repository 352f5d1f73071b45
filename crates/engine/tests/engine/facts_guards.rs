//! Facts GRD of Chef's guard specs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::{Guard, GuardCommand, Handling, Moment, Value};
use uphold_resource::{Command, Exit, Output};

use super::around::{counting, guard, guarded, idle, not_if, only_if, telling};
use super::check::{SharedHost, engine};
use super::script::{note, same};

/// Whether a note with these guards is written.
fn runs(host: &SharedHost, handling: Handling) -> bool {
    let transcript = note("/d/a", "1").handled(handling).run(host, Apply);
    assert!(transcript.contains("+ note") != transcript.contains("1 not wanted"), "{transcript}");
    host.text("/d/a").is_some()
}

#[test]
fn grd_01_to_05_guards_run_or_skip_a_resource() {
    let check = |id: &str, handling: Handling, expected: bool| {
        assert_eq!(runs(&SharedHost::new(), handling), expected, "{id}");
    };
    check("GRD-01", Handling::default(), true);
    check("GRD-02", only_if(true), true);
    check("GRD-03", only_if(false), false);
    check("GRD-04", not_if(true), false);
    check("GRD-05", not_if(false), true);
    check("GRD-11", only_if("true"), true);
    check("GRD-11", only_if("exit 3"), false);
    check("GRD-11", not_if("true"), false);
    check("GRD-11", not_if("exit 3"), true);
    let words = |words: &[&str]| Value::list(words.iter().map(|word| Value::text(*word)));
    check("GRD-11", only_if(words(&["sh", "-c", "test -d /d"])), true);
    check("GRD-11", only_if(words(&["sh", "-c", "test -f /d"])), false);
}

#[test]
fn grd_09_the_guards_of_action_nothing_are_not_evaluated() {
    let (host, count) = counting(&[0]);
    let transcript = idle("/d/a").handled(only_if("count")).run(&host, Apply);
    assert_eq!((transcript.as_str(), count.get()), ("0 ok, 0 changed, 0 failed, 0 skipped\n", 0));
}

#[test]
fn grd_10_the_guards_of_a_target_are_evaluated() {
    let (host, count) = counting(&[1]);
    let z = idle("/d/z").handled(only_if("count"));
    same(
        &telling("/d/a", "1", &[("/d/z", Moment::Delayed)]).and(z).run(&host, Apply),
        r#"+ note["/d/a"] text: nothing -> "1"
        o note["/d/z"].shout (delayed note["/d/a"]) only_if count
        0 ok, 1 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
    assert_eq!(count.get(), 1);
}

/// Only true and false are conditions: any other value is an error.
#[test]
fn grd_12_differs_a_condition_must_be_a_bool() {
    let transcript = note("/d/a", "1").handled(only_if(1)).problems();
    assert!(
        transcript.starts_with("@500 invalid guard: `only_if` must be true or false, or a command"),
        "{transcript}"
    );
}

#[test]
fn grd_13_a_command_that_takes_too_long_counts_as_false() {
    same(
        &note("/d/a", "1").handled(only_if("slow")).run(&direct(), Apply),
        r#"note["/d/a"] says the command of `only_if` took too long, and counts as false
        o note["/d/a"] only_if slow
        0 ok, 0 changed, 0 failed, 0 skipped, 1 not wanted"#,
    );
    same(
        &note("/d/a", "1").handled(not_if("slow")).run(&direct(), Apply),
        r#"note["/d/a"] says the command of `not_if` took too long, and counts as false
        + note["/d/a"] text: nothing -> "1"
        0 ok, 1 changed, 0 failed, 0 skipped"#,
    );
}

/// The shell itself takes too long.
fn direct() -> SharedHost {
    let output = || Output::new(Exit::TimedOut, "", "");
    SharedHost::with(|host| host.program("/bin/sh", move |_| output()))
}

/// A string is always a command, so there is nothing to warn about; a secret one is not shown.
#[test]
fn grd_14_differs_a_string_is_a_command_and_a_secret_one_is_hidden() {
    let secret = Value::text("test hunter2 = x").sensitive();
    let transcript = note("/d/a", "1").handled(only_if(secret)).run(&SharedHost::new(), Apply);
    assert!(
        transcript.contains("o note[\"/d/a\"] only_if \n") && !transcript.contains("hunter2"),
        "{transcript}"
    );
}

#[test]
fn grd_17_guards_are_not_evaluated_before_the_run() {
    let (host, count) = counting(&[0]);
    let engine = engine(&host, 1);
    let (program, transcript) = note("/d/a", "1").handled(only_if("count")).check(&engine);
    assert!(program.is_some(), "{transcript}");
    assert_eq!(count.get(), 0);
}

/// The arguments and the environment of a program.
fn recording() -> (SharedHost, Arc<Mutex<Vec<Command>>>) {
    let commands: Arc<Mutex<Vec<Command>>> = Arc::default();
    let seen = Arc::clone(&commands);
    let host = SharedHost::with(|host| {
        host.user("app", 1000).program("probe", move |call| {
            seen.lock().expect("no thread panicked").push(call.command.clone());
            call.succeed("")
        })
    });
    (host, commands)
}

#[test]
fn grd_20_a_command_has_its_own_directory_user_environment_and_limit() {
    let (host, commands) = recording();
    let command = GuardCommand {
        dir: Some("/d".into()),
        user: Some("app".into()),
        env: vec![("LANG".into(), "C".into())],
        timeout: Some(Duration::from_secs(7)),
    };
    let guard = Guard { command, ..guard(true, Value::list([Value::text("probe"), Value::text("x")])) };
    assert!(runs(&host, guarded([guard])));
    let commands = commands.lock().expect("no thread panicked");
    let command = commands.first().expect("it was asked");
    assert_eq!(command.args, ["x"]);
    assert_eq!(command.dir.as_deref(), Some("/d".as_ref()));
    assert_eq!(command.run_as, Some((1000, 1000)));
    assert_eq!(command.env, [("LANG".to_owned(), "C".to_owned())].into());
    assert_eq!(command.timeout, Some(Duration::from_secs(7)));
}

#[test]
fn a_guard_that_names_an_unknown_user_fails() {
    let command = GuardCommand { user: Some("nobody".into()), ..GuardCommand::default() };
    let handling = guarded([Guard { command, ..guard(true, "true") }]);
    same(
        &note("/d/a", "1").handled(handling).run(&SharedHost::new(), Apply),
        r#"x note["/d/a"] there is no user nobody []
        0 ok, 0 changed, 1 failed, 0 skipped"#,
    );
}

/// A guard has its own options: properties of the resource do not apply to its command.
#[test]
fn grd_21_differs_a_guard_inherits_nothing() {
    let (host, commands) = recording();
    assert!(runs(&host, only_if(Value::list([Value::text("probe")]))));
    let commands = commands.lock().expect("no thread panicked");
    let command = commands.first().expect("it was asked");
    assert_eq!((&command.dir, command.run_as, command.env.len()), (&None, None, 0));
    assert_eq!(command.timeout, Some(Duration::from_secs(60)), "but it never waits for ever");
}

#[test]
fn grd_22_a_plan_runs_guard_commands() {
    let (host, count) = counting(&[1]);
    let transcript = note("/d/a", "1").handled(only_if("count")).run(&host, Plan);
    assert!(transcript.contains("o note[\"/d/a\"] only_if count"), "{transcript}");
    assert_eq!(count.get(), 1);
    assert!(host.0.writes().is_empty());
}

#[test]
fn grd_24_only_if_comes_before_not_if_and_the_first_false_guard_decides() {
    let (host, count) = counting(&[0, 0, 1, 0]);
    let guards = [guard(false, "exit 1"), guard(true, "count"), guard(true, "count"), guard(true, "count")];
    let transcript = note("/d/a", "1").handled(guarded(guards.clone())).run(&host, Apply);
    assert!(transcript.contains("o note[\"/d/a\"] only_if count"), "{transcript}");
    assert_eq!(count.get(), 3);
    let (host, count) = counting(&[0]);
    let guards = [guard(false, "count"), guard(false, "count"), guard(true, "false")];
    let transcript = note("/d/a", "1").handled(guarded(guards)).run(&host, Apply);
    assert!(transcript.contains("o note[\"/d/a\"] only_if false"), "{transcript}");
    assert_eq!(count.get(), 0, "a `not_if` comes after");
}
