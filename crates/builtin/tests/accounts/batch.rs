//! Several users in one batch.

use std::sync::{Arc, Mutex};

use uphold_builtin::User;
use uphold_resource::{Batch, Properties, Resource, Sensitive, Step, Want};
use uphold_testkit::MemoryHost;

use super::tools::equipped;

type Calls = Arc<Mutex<Vec<String>>>;

/// A machine on which the password of `bob` cannot be set, and the attempted calls.
fn refusing() -> (MemoryHost, Calls) {
    let calls = Calls::default();
    let seen = Arc::clone(&calls);
    let host = equipped(MemoryHost::new()).program("chpasswd", move |call| {
        let lines = String::from_utf8_lossy(call.command.stdin.as_deref().unwrap_or_default()).into_owned();
        let refused = lines.contains("bob");
        seen.lock().expect("not poisoned").push(lines);
        if refused { call.fail(1, "no password for bob") } else { call.succeed("") }
    });
    (host, calls)
}

fn user(name: &str) -> User {
    let password = Want::Set(Sensitive::new("$6$a$b".to_owned()));
    User { password, ..User::named(name).expect("a good name") }
}

/// The results of creating these users in one batch.
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
    assert_eq!(*calls.lock().expect("not poisoned"), ["ann:$6$a$b\ncid:$6$a$b\n"]);
}

#[test]
fn a_refused_password_does_not_affect_others() {
    let (host, calls) = refusing();
    assert_eq!(make(&["ann", "bob", "cid"], &host), [true, false, true]);
    let calls = calls.lock().expect("not poisoned");
    assert_eq!(calls[1..], ["ann:$6$a$b\n", "bob:$6$a$b\n", "cid:$6$a$b\n"]);
    drop(calls);
    let (host, calls) = refusing();
    assert_eq!(make(&["bob"], &host), [false]);
    assert_eq!(calls.lock().expect("not poisoned").len(), 1);
}

/// An account that could not be created gets no password.
#[test]
fn skips_users_that_failed() {
    let (host, calls) = refusing();
    assert_eq!(make(&["old", "ann"], &host), [false, true]);
    assert_eq!(*calls.lock().expect("not poisoned"), ["ann:$6$a$b\n"]);
}

/// useradd prints the same message for a lock of another program and for missing rights.
#[test]
fn names_a_lock_file_only_if_it_exists() {
    let printed = "useradd: cannot lock /etc/passwd; try again later.";
    let host = || equipped(MemoryHost::new()).program("useradd", move |call| call.fail(1, printed));
    let advice = |host: &MemoryHost| {
        let user = User::named("ann").expect("a good name");
        let goal = user.goal(None);
        let error = user.apply(Step::Create { goal: &goal }, &host.act()).expect_err("useradd fails");
        assert!(error.chain().contains(printed), "{}", error.chain());
        error.advice().map(str::to_owned)
    };
    assert_eq!(advice(&host()), None);
    let locked = advice(&host().file("/etc/passwd.lock", "1\n", 0o600));
    assert!(locked.is_some_and(|advice| advice.contains("it holds /etc/passwd.lock")));
}
