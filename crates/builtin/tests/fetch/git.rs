//! The laws of `git`, with a fake git that writes the files that the kind reads.

use std::path::Path;

use uphold_builtin::Git;
use uphold_resource::{Access, FileEdits, Files, NewFile, Output, Result};
use uphold_testkit::laws::broken_by;
use uphold_testkit::{Call, MemoryHost, Subject, Wish};

const ONE: &str = "1111111111111111111111111111111111111111";
const TWO: &str = "2222222222222222222222222222222222222222";

/// A fake git, as far as the kind uses it: its only branch is at the commit `ONE`.
fn git(call: &Call<'_>) -> Output {
    run(call).unwrap_or_else(|error| call.fail(128, error.chain()))
}

fn run(call: &Call<'_>) -> Result<Output> {
    let args: Vec<&str> = call.command.args.iter().map(String::as_str).collect();
    let verbs = ["ls-remote", "init", "config", "checkout", "reset", "status"];
    let verb = args.iter().position(|arg| verbs.contains(arg));
    let place = args.iter().position(|arg| *arg == "-C").map(|at| args[at + 1]).unwrap_or_default();
    let put = |name: &str, text: &str| put(call.host, &format!("{place}/{name}"), text);
    match verb.map_or(&[][..], |verb| &args[verb..]) {
        ["ls-remote", ..] => {
            let listing = format!("ref: refs/heads/main\tHEAD\n{ONE}\tHEAD\n{ONE}\trefs/heads/main\n");
            return Ok(call.succeed(listing));
        }
        ["init", ..] => {
            init(call.host, place)?;
            put(".git/index", "DIRC")?;
        }
        ["config", "remote.origin.url", url] => {
            put(".git/config", &format!("[remote \"origin\"]\n\turl = {url}\n"))?;
        }
        ["checkout", .., "-B", branch, commit] => {
            put(&format!(".git/refs/heads/{branch}"), &format!("{commit}\n"))?;
            put(".git/HEAD", &format!("ref: refs/heads/{branch}\n"))?;
            put("app", commit)?;
        }
        ["checkout", .., "--detach", commit] => {
            put("app", commit)?;
            put(".git/HEAD", &format!("{commit}\n"))?;
        }
        ["reset", ..] => put("app", ONE)?,
        ["status", ..] => {
            let app = call.host.read(Path::new(&format!("{place}/app")), 0).unwrap_or_default();
            return Ok(call.succeed(if app == ONE.as_bytes() || app == TWO.as_bytes() {
                ""
            } else {
                " M app\0"
            }));
        }
        _ => {}
    }
    Ok(call.succeed(""))
}

fn init(host: &MemoryHost, place: &str) -> Result<()> {
    for name in [".git", ".git/refs", ".git/refs/heads"] {
        let path = format!("{place}/{name}");
        if host.look(path.as_ref())?.is_none() {
            host.make_directory(path.as_ref(), &Access { mode: Some(0o755), ..Access::default() })?;
        }
    }
    Ok(())
}

fn put(host: &MemoryHost, path: &str, text: &str) -> Result<()> {
    let access = Access { mode: Some(0o644), ..Access::default() };
    let file = NewFile::new(text.as_bytes(), access);
    host.write(Path::new(path), &file)
}

uphold_testkit::laws! {
    Git,
    world: |host| host.directory("/srv", 0o755).program("git", git),
    wishes: [
        { "/srv/kept", repository = "https://example.org/other.git" },
        { "/srv/kept", repository = "https://example.org/app.git", revision = "main" },
        { "/srv/once", repository = "https://example.org/app.git", revision = "main", sync = false },
        { "/srv/chosen", repository = "https://example.org/app.git", commit = TWO },
    ],
    drift: [
        |host| tamper_if_exists(host, "/srv/kept/.git/HEAD", TWO),
        |host| tamper_if_exists(host, "/srv/kept/.git/refs/heads/main", TWO),
        |host| tamper_if_exists(host, "/srv/kept/.git/config", "[remote \"origin\"]\n\turl = /elsewhere\n"),
    ],
    side_effects: ["/srv/kept/app", "/srv/once/app", "/srv/chosen/app", "/srv/chosen/.git/refs", "/srv/kept/.git/index", "/srv/once/.git/index", "/srv/chosen/.git/index"],
}

/// With `force`, changes can be anywhere, so any event in the directory causes a check.
#[test]
fn a_forced_checkout_keeps_all_laws_but_one() {
    let named = || Wish::named("/srv/app").set("force", true);
    let subject = Subject::of::<Git>()
        .world(|host| host.directory("/srv", 0o755).program("git", git))
        .wish(named().set("repository", "https://example.org/app.git").set("revision", "main"))
        .wish(named().set("repository", "https://example.org/other.git"))
        .drift(|host| tamper_if_exists(host, "/srv/app/app", "drifted"));
    let broken = broken_by(&subject).into_iter();
    let broken = broken.filter(|broken| broken.law != "an_unrelated_change_does_not_wake_it");
    assert_eq!(broken.map(|broken| broken.to_string()).collect::<Vec<_>>(), [""; 0]);
}

fn tamper_if_exists(host: &MemoryHost, path: &str, text: &str) {
    if matches!(host.look(path.as_ref()), Ok(Some(_))) {
        host.tamper(path, text);
    }
}
