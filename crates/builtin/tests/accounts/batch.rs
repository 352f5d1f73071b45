//! Several users in one go.

use std::sync::{Arc, Mutex};

use uphold_builtin::User;
use uphold_resource::{Batch, Described, Resource, Sensitive, Step, Want};
use uphold_testkit::MemoryHost;

use super::tools::equipped;

type Calls = Arc<Mutex<Vec<String>>>;

/// A machine on which no password of `bob` can be set; and what was tried.
fn refusing() -> (MemoryHost, Calls) {
    let calls = Calls::default();
    let seen = Arc::clone(&calls);
    let host = equipped(MemoryHost::new()).program("chpasswd", move |call| {
        let lines = String::from_utf8_lossy(call.command.stdin.as_deref().unwrap_or_default()).into_owned();
        let refused = lines.contains("bob");
        seen.lock().expect("nobody panicked").push(lines);
        if refused { call.fail(1, "no password for bob") } else { call.succeed("") }
    });
    (host, calls)
}

fn user(name: &str) -> User {
    let password = Want::Set(Sensitive::new("$6$a$b".to_owned()));
    User { password, ..User::named(name).expect("a good name") }
}

/// The results of making these users in one go.
fn make(names: &[&str], host: &MemoryHost) -> Vec<bool> {
    let users: Vec<User> = names.iter().map(|name| user(name)).collect();
    let goals: Vec<_> = users.iter().map(|user| user.goal(None)).collect();
    let steps: Vec<_> = users.iter().zip(&goals).map(|(user, goal)| (user, Step::Create { goal })).collect();
    User::apply_all(&steps, &host.act()).iter().map(Result::is_ok).collect()
}

#[test]
fn one_command_sets_all_passwords() {
    let (host, calls) = refusing();
    assert_eq!(make(&["ann", "cid"], &host), [true, true]);
    assert_eq!(*calls.lock().expect("nobody panicked"), ["ann:$6$a$b\ncid:$6$a$b\n"]);
}

#[test]
fn one_that_is_refused_holds_up_nobody() {
    let (host, calls) = refusing();
    assert_eq!(make(&["ann", "bob", "cid"], &host), [true, false, true]);
    let calls = calls.lock().expect("nobody panicked");
    assert_eq!(calls[1..], ["ann:$6$a$b\n", "bob:$6$a$b\n", "cid:$6$a$b\n"]);
    drop(calls);
    let (host, calls) = refusing();
    assert_eq!(make(&["bob"], &host), [false]);
    assert_eq!(calls.lock().expect("nobody panicked").len(), 1);
}

/// An account that could not be made gets no password.
#[test]
fn one_that_failed_before_is_left_out() {
    let (host, calls) = refusing();
    assert_eq!(make(&["old", "ann"], &host), [false, true]);
    assert_eq!(*calls.lock().expect("nobody panicked"), ["ann:$6$a$b\n"]);
}
