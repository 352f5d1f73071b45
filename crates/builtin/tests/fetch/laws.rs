//! The laws of the kinds for downloads and archives, on a machine in memory.

use uphold_resource::{Access, Files, Value};
use uphold_testkit::{MemoryHost, Reply, Subject, Wish, laws};

use super::packed;

fn world(host: MemoryHost) -> MemoryHost {
    let host = host.directory("/srv", 0o755).directory("/web", 0o755).user("app", 1000).group("www", 33);
    let host = host.file("/web/list", "a list", 0o644).page_from("https://example.org/list", "/web/list");
    host.page("https://example.org/app", "the app")
}

mod download {
    use super::*;
    use uphold_builtin::Download;

    uphold_testkit::laws! {
        Download,
        world: |host| world(host).file("/srv/other", "another", 0o640).file("/srv/there", "another", 0o640).owned("/srv/there", 1000, 33),
        wishes: [
            { "/srv/app", url = "https://example.org/app", checksum = app_digest() },
            { "/srv/app", url = "https://example.org/app", checksum = app_digest(), mode = "0600" },
            { "/srv/there", url = "https://example.org/app", checksum = app_digest() },
            { "/srv/list", url = "https://example.org/list", refresh = false },
            { "/srv/list", url = "https://example.org/list", mode = "0640" },
            { "/srv/other", url = "https://example.org/list", backups = Value::Int(1) },
        ],
        drift: [
            |host| host.tamper("/srv/app", "x"),
            |host| host.tamper("/srv/list", "x"),
            |host| host.tamper("/srv/other", "x"),
            |host| host.delete("/srv/app"),
            |host| host.change_access("/srv/app", Access { mode: Some(0o777), ..Access::default() }),
        ],
        side_effects: ["/srv/.other.uphold-backup-1", "/srv/.other.uphold-origin", "/srv/.there.uphold-origin", "/srv/.list.uphold-origin", "/srv/.app.uphold-origin"],
    }
}

fn app_digest() -> &'static str {
    "sha256:ecf6410c21e70b6249f59badba275ed326c3043ff2a39f08b88373ead8932dbc"
}

mod tar {
    use super::*;
    use uphold_builtin::Tar;

    uphold_testkit::laws! {
        Tar,
        world: |host| {
            let host = world(host).directory("/etc", 0o755).file("/etc/a", "a", 0o600).file("/etc/b", "b", 0o644);
            host.link("/etc/c", "a").file("/srv/old.tar", "old", 0o640)
        },
        wishes: [
            { "/srv/etc.tar", inputs = Value::list([Value::text("/etc")]) },
            { "/srv/etc.tar", inputs = Value::list([Value::text("/etc")]), mode = "0600" },
            { "/srv/old.tar", inputs = Value::list([Value::text("/etc/a"), Value::text("/etc/b")]) },
        ],
        drift: [
            |host| host.tamper("/etc/a", "x"),
            |host| host.tamper("/etc/b", "x"),
            |host| host.tamper("/etc/new", "x"),
            |host| host.tamper("/srv/etc.tar", "x"),
            |host| host.change_access("/srv/etc.tar", Access { mode: Some(0o777), ..Access::default() }),
        ],
    }
}

mod gzip {
    use super::*;
    use uphold_builtin::Gzip;

    uphold_testkit::laws! {
        Gzip,
        world: |host| world(host).file("/srv/page", "a page", 0o644).file("/srv/old.gz", "old", 0o640),
        wishes: [
            { "/srv/page.gz", source = "/srv/page" },
            { "/srv/page.gz", source = "/srv/page", mode = "0600" },
            { "/srv/old.gz", content = "some text" },
        ],
        drift: [
            |host| host.tamper("/srv/page", "x"),
            |host| host.tamper("/srv/page.gz", "x"),
            |host| host.tamper("/srv/old.gz", "x"),
            |host| host.change_access("/srv/page.gz", Access { mode: Some(0o777), ..Access::default() }),
        ],
    }
}

/// A request cannot be read back, removed or watched.
#[test]
fn a_request_keeps_the_applicable_laws() {
    let register = |request: &uphold_resource::Request, host: &MemoryHost| match request.method.as_str() {
        "POST" => {
            host.tamper("/web/registered", &request.body);
            Reply::new(201, "welcome")
        }
        _ => match host.look("/web/registered".as_ref()) {
            Ok(Some(_)) => Reply::new(200, "known"),
            _ => Reply::new(404, ""),
        },
    };
    let subject = Subject::of::<uphold_builtin::HttpRequest>()
        .world(move |host| world(host).site("https://example.org/hosts", register))
        .wish(
            Wish::named("register")
                .set("url", "https://example.org/hosts")
                .set("method", "post")
                .set("body", "me")
                .set("check_url", "https://example.org/hosts/me"),
        )
        .wish(Wish::named("look").set("url", "https://example.org/app"));
    let broken: Vec<String> =
        laws::broken_by(&subject).into_iter().map(|broken| broken.to_string()).collect();
    assert_eq!(broken, [""; 0]);
}

/// Any path in the directory may be an entry, so any event there causes a check.
#[test]
fn an_archive_keeps_all_laws_but_one() {
    let named = |path: &str| Wish::named(path).set("source", "/web/app.tar.gz");
    let subject = Subject::of::<uphold_builtin::Archive>()
        .world(|host| {
            let host = world(host).file("/web/app.tar.gz", packed::example(), 0o644);
            host.directory("/srv/there", 0o755).file("/srv/there/stray", "kept", 0o644)
        })
        .wish(named("/srv/app"))
        .wish(named("/srv/app").set("strip_components", Value::Int(1)).set("file_mode", "0600"))
        .wish(named("/srv/there").set("exclude", Value::list([Value::text("app-1.0/link")])))
        .wish(named("/srv/purged").set("purge", true))
        .drift(|host| within(host, "/srv/app/app-1.0/bin", |bin| host.tamper(format!("{bin}/app"), "x")))
        .drift(|host| within(host, "/srv/app/app-1.0/link", |link| host.delete(link)))
        .drift(|host| within(host, "/srv/purged", |purged| host.tamper(format!("{purged}/stray"), "x")))
        .drift(|host| {
            let access = Access { mode: Some(0o700), ..Access::default() };
            within(host, "/srv/app/app-1.0/bin", |bin| host.change_access(bin, access));
        });
    let broken = laws::broken_by(&subject)
        .into_iter()
        .filter(|broken| broken.law != "an_unrelated_change_does_not_wake_it");
    assert_eq!(broken.map(|broken| broken.to_string()).collect::<Vec<_>>(), [""; 0]);
}

/// Runs `act` if the path exists: not every declaration creates it.
fn within(host: &MemoryHost, path: &'static str, act: impl Fn(&'static str)) {
    if matches!(host.look(path.as_ref()), Ok(Some(_))) {
        act(path);
    }
}
