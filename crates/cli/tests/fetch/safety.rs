//! Certificates, redirections and credentials of a transfer.

use super::sandbox::Sandbox;
use super::server::{Page, Server, large};

fn ca(sandbox: &Sandbox) -> String {
    sandbox.write("ca.pem", include_bytes!("keys/ca.pem"));
    format!("ca = {:?}", sandbox.at("ca.pem"))
}

#[test]
fn an_unknown_certificate_is_refused() {
    let (sandbox, server) = (Sandbox::new(), Server::start_safe());
    server.put("/app", Page::of(b"the app"));
    sandbox.declare(&server.url("/app"), &[]);
    sandbox.refuse("set `ca`");
    assert_eq!(server.asked().len(), 0);
    sandbox.declare(&server.url("/app"), &[&ca(&sandbox)]);
    sandbox.apply();
    assert_eq!(sandbox.read("app"), Some(b"the app".to_vec()));
    sandbox.write("ca.pem", "nothing");
    sandbox.delete("app");
    sandbox.refuse("no certificate");
}

#[test]
fn https_does_not_redirect_to_http() {
    let (sandbox, safe, other) = (Sandbox::new(), Server::start_safe(), Server::start());
    other.put("/app", Page::of(b"evil"));
    safe.put("/app", Page { redirect: Some(other.url("/app")), ..Page::default() });
    sandbox.declare(&safe.url("/app"), &[&ca(&sandbox)]);
    sandbox.refuse("is not encrypted");
    assert_eq!((other.asked().len(), sandbox.read("app")), (0, None));
}

#[test]
fn redirections_are_followed_but_not_for_ever() {
    let (sandbox, server) = (Sandbox::new(), Server::start());
    server.put("/app", Page { redirect: Some("/b/../c".to_owned()), ..Page::default() });
    server.put("/c", Page { redirect: Some(server.other_url("/d")), ..Page::default() });
    server.put("/d", Page::of(b"the app"));
    sandbox.declare(&server.url("/app"), &["headers = { X-Token = \"secret\" }"]);
    sandbox.apply();
    let expected: Vec<bool> = server.asked().iter().map(|head| head.contains("x-token: secret")).collect();
    // One request for the transfer, one for the check: only the first host gets the credentials.
    assert_eq!(expected, [true, true, false, true, true, false]);
    server.put("/d", Page { redirect: Some(server.url("/app")), ..Page::default() });
    sandbox.refuse("more than 10 redirections");
}

#[test]
fn passwords_are_sent_and_not_shown() {
    let (sandbox, server) = (Sandbox::new(), Server::start());
    server.put("/app", Page { status: Some(403), ..Page::of(b"no") });
    let url = server.url("/app?key=hidden").replace("http://", "http://ada:pass%21@");
    sandbox.declare(&url, &["headers = { X-Token = \"token\" }"]);
    server.put("/app?key=hidden", Page { status: Some(403), ..Page::of(b"no") });
    let ran = sandbox.refuse("returned status 403");
    let shown = ["ada", "pass", "hidden", "token"].into_iter().find(|secret| ran.printed.contains(secret));
    assert_eq!(shown, None, "{}", ran.printed);
    // ada:pass!
    assert!(server.asked()[0].contains("authorization: basic ywrhonbhc3mh"));
    server.put("/app?key=hidden", Page::of(b"the app"));
    sandbox.apply();
    let origin = String::from_utf8(sandbox.read(".app.uphold-origin").expect("it is kept")).expect("text");
    assert!(!origin.contains("pass") && !origin.contains("hidden"), "{origin}");
}

/// The origin attribute of a file is ignored if another user could have set it.
#[test]
fn an_origin_attribute_of_another_user_is_ignored() {
    let (sandbox, server) = (Sandbox::new(), Server::start());
    if !rustix::process::geteuid().is_root() {
        return;
    }
    server.put("/app", Page::of(b"the app"));
    sandbox.declare(&server.url("/app"), &[]);
    sandbox.apply();
    let plant = |owner: u32, mode: u32| {
        sandbox.write("app", "evil");
        let digest = sandbox.digest("app");
        let origin =
            String::from_utf8(sandbox.read(".app.uphold-origin").expect("it is kept")).expect("text");
        let kept: String = origin
            .lines()
            .filter(|line| !line.starts_with("content "))
            .map(|line| format!("{line}\n"))
            .collect();
        sandbox.write(".app.uphold-origin", format!("{kept}content sha256:{digest}\n"));
        sandbox.own(".app.uphold-origin", owner, mode);
    };
    for (owner, mode) in [(65534, 0o600), (65534, 0o644), (0, 0o666)] {
        plant(owner, mode);
        sandbox.apply();
        assert_eq!(sandbox.read("app"), Some(b"the app".to_vec()), "{owner} {mode:o}");
        assert!(sandbox.run("plan").printed.contains("No changes"));
    }
}

/// An oversized transfer cannot be resumed.
#[test]
fn an_oversized_transfer_leaves_no_partial_file() {
    let (sandbox, server) = (Sandbox::new(), Server::start());
    for claim in [None, Some(0)] {
        server.put("/app", Page { claim, ..Page::of(&large()) });
        sandbox.declare(&server.url("/app"), &["max_size = \"600KiB\""]);
        sandbox.refuse("max_size");
        assert_eq!(sandbox.names(), [""; 0]);
    }
}
