//! The requests that a download makes.

use crate::ground::Ground;
use crate::server::{Page, Server};

/// The SHA-256 of `the app`.
const CHECKSUM: &str =
    "checksum = \"sha256:ecf6410c21e70b6249f59badba275ed326c3043ff2a39f08b88373ead8932dbc\"";

fn scene() -> (Ground, Server) {
    let server = Server::start();
    server.put("/app", Page::of(b"the app"));
    (Ground::new(), server)
}

#[test]
fn a_plan_transfers_nothing() {
    let (ground, server) = scene();
    for attributes in [&[][..], &[CHECKSUM]] {
        ground.declare(&server.url("/app"), attributes);
        let ran = ground.run("plan");
        assert_eq!((ran.status, server.asked().len(), ground.names().len()), (Some(2), 0, 0), "{}", ran.said);
    }
}

#[test]
fn a_file_with_the_right_checksum_costs_no_request() {
    let (ground, server) = scene();
    ground.declare(&server.url("/app"), &[CHECKSUM]);
    ground.apply();
    assert_eq!(server.asked().len(), 1);
    ground.apply();
    assert_eq!((server.asked().len(), ground.read("app")), (0, Some(b"the app".to_vec())));
}

#[test]
fn a_file_without_a_checksum_costs_an_answer_without_content() {
    let (ground, server) = scene();
    ground.declare(&server.url("/app"), &[]);
    ground.apply();
    server.asked();
    assert_eq!(ground.run("plan").status, Some(0));
    let asked = server.asked();
    assert!(asked.len() == 1 && asked[0].contains("if-none-match: \"one\""), "{asked:?}");
    server.put("/app", Page { etag: Some("\"two\""), ..Page::of(b"a new app") });
    assert_eq!(ground.run("plan").status, Some(2));
    ground.apply();
    assert_eq!(ground.read("app"), Some(b"a new app".to_vec()));
}

#[test]
fn a_server_without_validators_sends_the_whole_file() {
    let (ground, server) = scene();
    server.put("/app", Page { etag: None, ..Page::of(b"the app") });
    ground.declare(&server.url("/app"), &[]);
    ground.apply();
    assert_eq!(ground.run("plan").status, Some(0));
    server.put("/app", Page { etag: None, ..Page::of(b"an app!") });
    assert_eq!(ground.run("plan").status, Some(2));
    ground.apply();
    assert_eq!(ground.read("app"), Some(b"an app!".to_vec()));
}

#[test]
fn an_existing_file_is_not_requested_without_refresh() {
    let (ground, server) = scene();
    ground.write("app", "mine");
    ground.declare(&server.url("/app"), &["refresh = false"]);
    assert_eq!((ground.run("plan").status, server.asked().len()), (Some(0), 0));
}

#[test]
fn mirrors_are_tried_in_order() {
    let (ground, server) = scene();
    server.put("/broken", Page { status: Some(500), ..Page::of(b"") });
    let mirrors = format!("mirrors = [{:?}, {:?}]", server.url("/none"), server.url("/app"));
    ground.declare(&server.url("/broken"), &[&mirrors]);
    ground.apply();
    let paths: Vec<String> =
        server.asked().iter().filter_map(|head| head.split(' ').nth(1).map(str::to_owned)).collect();
    // The last request is the check after the apply, to the mirror that the file came from.
    assert_eq!(paths, ["/broken", "/none", "/app", "/app"]);
    assert_eq!(ground.read("app"), Some(b"the app".to_vec()));
    ground.declare(&server.url("/broken"), &["backups = 1"]);
    ground.refuse("returned status 500");
    assert_eq!(ground.read("app"), Some(b"the app".to_vec()));
}

#[test]
fn old_versions_are_kept() {
    let (ground, server) = scene();
    ground.write("app", "old");
    ground.declare(&server.url("/app"), &["backups = 1"]);
    ground.apply();
    assert_eq!(ground.names(), [".app.uphold-backup-1", ".app.uphold-origin", "app"]);
    assert_eq!(ground.read(".app.uphold-backup-1"), Some(b"old".to_vec()));
}

#[test]
fn a_wrong_checksum_changes_nothing() {
    let (ground, server) = scene();
    server.put("/app", Page::of(b"another app"));
    ground.write("app", "old");
    ground.declare(&server.url("/app"), &[CHECKSUM]);
    ground.refuse("has the wrong checksum sha256:");
    assert_eq!((ground.read("app"), ground.names()), (Some(b"old".to_vec()), vec!["app".to_owned()]));
}

#[test]
fn a_download_over_max_size_is_refused() {
    let (ground, server) = scene();
    for claim in [None, Some(0)] {
        server.put("/app", Page { claim, ..Page::of(&vec![b'x'; 100_000]) });
        ground.declare(&server.url("/app"), &["max_size = \"10K\""]);
        ground.refuse("max_size");
        assert_eq!(ground.read("app"), None, "{claim:?}");
    }
    server.put("/app", Page { claim: Some(0), ..Page::of(b"the app") });
    ground.apply();
    assert_eq!(ground.read("app"), Some(b"the app".to_vec()));
}

#[test]
fn a_silent_server_times_out() {
    let (ground, server) = scene();
    server.put("/app", Page { stall: Some(3), ..Page::of(b"the app") });
    ground.declare(&server.url("/app"), &["patience = \"300ms\""]);
    ground.refuse("no data for 0.3 s");
}

#[test]
fn a_truncated_response_is_refused() {
    let (ground, server) = scene();
    server.put("/app", Page { claim: Some(100), ..Page::of(b"the app") });
    ground.declare(&server.url("/app"), &[]);
    ground.refuse("cannot request");
    assert_eq!(ground.read("app"), None);
}

#[test]
fn a_proxy_is_used() {
    let (ground, server) = scene();
    ground.declare("http://uphold.invalid/app", &[CHECKSUM]);
    let mut command = ground.command("apply");
    command.env("http_proxy", format!("http://127.0.0.1:{}", server.port()));
    assert!(command.output().expect("the command runs").status.success());
    let asked = server.asked();
    assert!(
        asked[0].starts_with("connect uphold.invalid:80 ") && asked[1].starts_with("get /app "),
        "{asked:?}"
    );
}
