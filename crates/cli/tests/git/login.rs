//! A login in the URL of a repository is not visible to other users.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

use super::sandbox::Sandbox;

/// `ada:hunter2+s3cret` as a basic authentication header.
const ACCEPTED: &str = "authorization: basic ywrhomh1bnrlcjircznjcmv0";

/// Serves the files below `folder` to clients with the password.
fn serve(folder: PathBuf) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| answer(&stream, &folder)));
    port
}

fn answer(mut stream: &TcpStream, folder: &Path) {
    let lines: Vec<String> =
        BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let asked = lines.first().and_then(|line| line.split([' ', '?']).nth(1)).unwrap_or_default().to_owned();
    let known = lines.iter().any(|line| line.to_ascii_lowercase().starts_with(ACCEPTED));
    let file = std::fs::read(folder.join(asked.trim_start_matches('/')));
    let (status, body) = match (known, file) {
        (false, _) => ("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"", Vec::new()),
        (true, Err(_)) => ("404 Not Found", Vec::new()),
        (true, Ok(body)) => ("200 OK", body),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

#[test]
fn a_login_is_no_argument_of_a_process() {
    let sandbox = Sandbox::new();
    sandbox.shell("git clone -q --bare repo served.git && git -C served.git update-server-info");
    // Every program of git logs its arguments.
    sandbox.shell(&format!(
        "mkdir exec bin && for f in $(git --exec-path)/*; do ln -s $f exec/; done && rm -f exec/git-remote-http exec/git \
         && for p in git-remote-http git; do cat >exec/$p <<E\n#!/bin/sh\necho \"$p \\$*\" >>{0}/arguments\n\
         exec $(git --exec-path)/$p \"\\$@\"\nE\nchmod +x exec/$p; done && cp exec/git bin/git",
        sandbox.path().display()
    ));
    let port = serve(sandbox.path().to_owned());
    let url = format!("http://ada:hunter2%2Bs3cret@127.0.0.1:{port}/served.git");
    let path = format!("{}/bin:/usr/bin:/bin", sandbox.path().display());
    let exec = sandbox.at("exec").display().to_string();
    let env = [("PATH", path.as_str()), ("GIT_EXEC_PATH", exec.as_str()), ("GIT_TRACE", "0")];
    for revision in ["v1", "v2"] {
        sandbox.declare_of(&url, "co", &[&format!("revision = {revision:?}")]);
        let ran = sandbox.run_with("apply", &env);
        assert_eq!(ran.status, Some(0), "{}", ran.printed);
        assert_eq!(sandbox.read("co/sub/f1"), Some(format!("{revision} 1\n")));
        let ran = sandbox.run_with("plan", &env);
        assert!(ran.printed.contains("No changes"), "{}", ran.printed);
    }
    let arguments = sandbox.read("arguments").expect("arguments were noted");
    assert!(arguments.contains("git-remote-http") && arguments.contains("ls-remote"), "{arguments}");
    assert!(!arguments.contains("hunter2"), "{arguments}");
    assert_eq!(sandbox.shell("grep -r hunter2 co || true"), "");
    // A login that an earlier version stored is removed.
    sandbox.shell(&format!("git -C co config remote.origin.url {url}"));
    let ran = sandbox.run("plan");
    assert!(ran.printed.contains("***@127.0.0.1"), "{}", ran.printed);
    sandbox.apply();
    assert_eq!(sandbox.shell("grep -r hunter2 co || true"), "");
}

#[test]
fn a_wrong_login_is_not_shown() {
    let sandbox = Sandbox::new();
    let port = serve(sandbox.path().to_owned());
    sandbox.declare_of(&format!("http://ada:wr0ngpass@127.0.0.1:{port}/served.git"), "co", &[]);
    let ran = sandbox.run("apply");
    assert!(
        ran.status == Some(1) && !ran.printed.replace("repository = ", "").contains("wr0ngpass"),
        "{}",
        ran.printed
    );
    sandbox.declare_of("ssh://git:wr0ngpass@127.0.0.1/served.git", "co", &[]);
    sandbox.refuse("plan", "contains a password, which ssh cannot use");
}
