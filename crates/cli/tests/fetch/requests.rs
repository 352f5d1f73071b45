//! The requests that a download makes.

use super::sandbox::Sandbox;
use super::server::{Page, Server};

/// The SHA-256 of `the app`.
const CHECKSUM: &str =
    "checksum = \"sha256:ecf6410c21e70b6249f59badba275ed326c3043ff2a39f08b88373ead8932dbc\"";

fn scene() -> (Sandbox, Server) {
    let server = Server::start();
    server.put("/app", Page::of(b"the app"));
    (Sandbox::new(), server)
}

#[test]
fn a_plan_transfers_nothing() {
    let (sandbox, server) = scene();
    for attributes in [&[][..], &[CHECKSUM]] {
        sandbox.declare(&server.url("/app"), attributes);
        let ran = sandbox.run("plan");
        assert_eq!(
            (ran.status, server.asked().len(), sandbox.names().len()),
            (Some(2), 0, 0),
            "{}",
            ran.printed
        );
    }
}

#[test]
fn a_file_with_the_right_checksum_costs_no_request() {
    let (sandbox, server) = scene();
    sandbox.declare(&server.url("/app"), &[CHECKSUM]);
    sandbox.apply();
    assert_eq!(server.asked().len(), 1);
    sandbox.apply();
    assert_eq!((server.asked().len(), sandbox.read("app")), (0, Some(b"the app".to_vec())));
}

#[test]
fn a_file_without_a_checksum_costs_an_answer_without_content() {
    let (sandbox, server) = scene();
    sandbox.declare(&server.url("/app"), &[]);
    sandbox.apply();
    server.asked();
    assert_eq!(sandbox.run("plan").status, Some(0));
    let asked = server.asked();
    assert!(asked.len() == 1 && asked[0].contains("if-none-match: \"one\""), "{asked:?}");
    server.put("/app", Page { etag: Some("\"two\""), ..Page::of(b"a new app") });
    assert_eq!(sandbox.run("plan").status, Some(2));
    sandbox.apply();
    assert_eq!(sandbox.read("app"), Some(b"a new app".to_vec()));
}

#[test]
fn a_server_without_validators_sends_the_whole_file() {
    let (sandbox, server) = scene();
    server.put("/app", Page { etag: None, ..Page::of(b"the app") });
    sandbox.declare(&server.url("/app"), &[]);
    sandbox.apply();
    assert_eq!(sandbox.run("plan").status, Some(0));
    server.put("/app", Page { etag: None, ..Page::of(b"an app!") });
    assert_eq!(sandbox.run("plan").status, Some(2));
    sandbox.apply();
    assert_eq!(sandbox.read("app"), Some(b"an app!".to_vec()));
}

#[test]
fn an_existing_file_is_not_requested_without_refresh() {
    let (sandbox, server) = scene();
    sandbox.write("app", "mine");
    sandbox.declare(&server.url("/app"), &["refresh = false"]);
    assert_eq!((sandbox.run("plan").status, server.asked().len()), (Some(0), 0));
}

#[test]
fn mirrors_are_tried_in_order() {
    let (sandbox, server) = scene();
    server.put("/broken", Page { status: Some(500), ..Page::of(b"") });
    let mirrors = format!("mirrors = [{:?}, {:?}]", server.url("/none"), server.url("/app"));
    sandbox.declare(&server.url("/broken"), &[&mirrors]);
    sandbox.apply();
    let paths: Vec<String> =
        server.asked().iter().filter_map(|head| head.split(' ').nth(1).map(str::to_owned)).collect();
    // The last request is the check after the apply, to the mirror that the file came from.
    assert_eq!(paths, ["/broken", "/none", "/app", "/app"]);
    assert_eq!(sandbox.read("app"), Some(b"the app".to_vec()));
    sandbox.declare(&server.url("/broken"), &["backups = 1"]);
    sandbox.refuse("returned status 500");
    assert_eq!(sandbox.read("app"), Some(b"the app".to_vec()));
}

#[test]
fn old_versions_are_kept() {
    let (sandbox, server) = scene();
    sandbox.write("app", "old");
    sandbox.declare(&server.url("/app"), &["backups = 1"]);
    sandbox.apply();
    assert_eq!(sandbox.names(), [".app.uphold-backup-1", ".app.uphold-origin", "app"]);
    assert_eq!(sandbox.read(".app.uphold-backup-1"), Some(b"old".to_vec()));
}

#[test]
fn a_wrong_checksum_changes_nothing() {
    let (sandbox, server) = scene();
    server.put("/app", Page::of(b"another app"));
    sandbox.write("app", "old");
    sandbox.declare(&server.url("/app"), &[CHECKSUM]);
    sandbox.refuse("has the wrong checksum sha256:");
    assert_eq!((sandbox.read("app"), sandbox.names()), (Some(b"old".to_vec()), vec!["app".to_owned()]));
}

#[test]
fn a_download_over_max_size_is_refused() {
    let (sandbox, server) = scene();
    for claim in [None, Some(0)] {
        server.put("/app", Page { claim, ..Page::of(&vec![b'x'; 100_000]) });
        sandbox.declare(&server.url("/app"), &["max_size = \"10K\""]);
        sandbox.refuse("max_size");
        assert_eq!(sandbox.read("app"), None, "{claim:?}");
    }
    server.put("/app", Page { claim: Some(0), ..Page::of(b"the app") });
    sandbox.apply();
    assert_eq!(sandbox.read("app"), Some(b"the app".to_vec()));
}

#[test]
fn a_silent_server_times_out() {
    let (sandbox, server) = scene();
    server.put("/app", Page { stall: Some(3), ..Page::of(b"the app") });
    sandbox.declare(&server.url("/app"), &["idle_timeout = \"300ms\""]);
    sandbox.refuse("no data for 0.3 s");
}

#[test]
fn a_truncated_response_is_refused() {
    let (sandbox, server) = scene();
    server.put("/app", Page { claim: Some(100), ..Page::of(b"the app") });
    sandbox.declare(&server.url("/app"), &[]);
    sandbox.refuse("cannot request");
    assert_eq!(sandbox.read("app"), None);
}

#[test]
fn a_proxy_is_used() {
    let (sandbox, server) = scene();
    sandbox.declare("http://uphold.invalid/app", &[CHECKSUM]);
    let mut command = sandbox.command("apply");
    command.env("http_proxy", format!("http://127.0.0.1:{}", server.port()));
    assert!(command.output().expect("the command runs").status.success());
    let asked = server.asked();
    assert!(
        asked[0].starts_with("connect uphold.invalid:80 ") && asked[1].starts_with("get /app "),
        "{asked:?}"
    );
}
