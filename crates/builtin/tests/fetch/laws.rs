//! The laws of the house, on the machine in memory.

use uphold_resource::{Access, Value};
use uphold_testkit::MemoryHost;

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
            { "/srv/app", url = "https://example.org/app", checksum = super::app_digest() },
            { "/srv/app", url = "https://example.org/app", checksum = super::app_digest(), mode = "0600" },
            { "/srv/there", url = "https://example.org/app", checksum = super::app_digest() },
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
