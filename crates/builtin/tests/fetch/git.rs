//! The laws for a checkout, with a stand-in for git that keeps what the kind reads.

use std::path::Path;

use uphold_builtin::Git;
use uphold_resource::{Access, FileEdits, Files, NewFile, Output};
use uphold_testkit::{Call, MemoryHost};

const ONE: &str = "1111111111111111111111111111111111111111";
const TWO: &str = "2222222222222222222222222222222222222222";

/// Git as far as the kind uses it: its only branch is at the commit that `/web/main` names.
fn git(call: &Call<'_>) -> Output {
    let args: Vec<&str> = call.command.args.iter().map(String::as_str).collect();
    let verb = args
        .iter()
        .position(|arg| ["ls-remote", "init", "config", "checkout", "reset", "status"].contains(arg));
    let place = args.iter().position(|arg| *arg == "-C").map(|at| args[at + 1]).unwrap_or_default();
    let put = |name: &str, text: &str| put(call.host, &format!("{place}/{name}"), text);
    match verb.map_or(&[][..], |verb| &args[verb..]) {
        ["ls-remote", ..] => {
            let main = call.host.read("/web/main".as_ref(), 0).unwrap_or_default();
            return call.succeed(format!("{}\trefs/heads/main\n", String::from_utf8_lossy(&main)));
        }
        ["init", ..] => {
            for name in [".git", ".git/refs", ".git/refs/heads"] {
                let access = Access { mode: Some(0o755), ..Access::default() };
                let _ = call.host.make_directory(Path::new(&format!("{place}/{name}")), &access);
            }
        }
        ["config", "remote.origin.url", url] => {
            put(".git/config", &format!("[remote \"origin\"]\n\turl = {url}\n"))
        }
        ["checkout", .., "-B", branch, commit] => {
            put(&format!(".git/refs/heads/{branch}"), &format!("{commit}\n"));
            put(".git/HEAD", &format!("ref: refs/heads/{branch}\n"));
            put("app", commit);
        }
        ["checkout", .., "--detach", commit] => {
            put(".git/HEAD", &format!("{commit}\n"));
            put("app", commit);
        }
        ["reset", ..] => put("app", ONE),
        ["status", ..] => {
            let app = call.host.read(Path::new(&format!("{place}/app")), 0).unwrap_or_default();
            return call.succeed(if app == b"drifted" { " M app\0" } else { "" });
        }
        _ => {}
    }
    call.succeed("")
}

fn put(host: &MemoryHost, path: &str, text: &str) {
    let access = Access { mode: Some(0o644), ..Access::default() };
    let file = NewFile { content: text.as_bytes(), access, verify: None, replace_other: false };
    host.write(Path::new(path), &file).expect("git can write");
}

uphold_testkit::laws! {
    Git,
    world: |host| host.directory("/srv", 0o755).directory("/web", 0o755).file("/web/main", ONE, 0o644).program("git", git),
    wishes: [
        { "/srv/app", repository = "https://example.org/app.git", revision = "main" },
        { "/srv/app", repository = "https://example.org/app.git", revision = TWO },
        { "/srv/app", repository = "https://example.org/other.git", revision = "main", force = true },
        { "/srv/once", repository = "https://example.org/app.git", revision = "main", sync = false },
    ],
    drift: [
        |host| tamper_if_there(host, "/srv/app/app", "drifted"),
        |host| tamper_if_there(host, "/srv/app/.git/HEAD", TWO),
        |host| tamper_if_there(host, "/srv/app/.git/config", "[remote \"origin\"]\n\turl = /elsewhere\n"),
    ],
}

fn tamper_if_there(host: &MemoryHost, path: &str, text: &str) {
    if matches!(host.look(path.as_ref()), Ok(Some(_))) {
        host.tamper(path, text);
    }
}
