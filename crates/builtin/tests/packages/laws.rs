//! The laws of the package kinds.

use super::apt;

const KEY: &str = include_str!("key.asc");

mod package {
    use super::apt::{self, STATUS};
    use uphold_builtin::Package;

    uphold_testkit::laws! {
        Package,
        world: apt::machine,
        wishes: [
            { "nginx" },
            { "nginx", version = "1.2", hold = false, allow_downgrade = true },
            { "nginx", version = "1.*", hold = true, allow_downgrade = true },
            { "nginx", version = "latest", hold = false, manual = false },
            { "curl", hold = true },
            { "curl", purge = true },
            { "curl", manual = false },
        ],
        drift: [
            |host| host.tamper(STATUS, apt::paragraph("dpkg", "1", "install ok installed")),
            |host| host.tamper(STATUS, apt::paragraph("nginx", "1.10", "install ok installed")),
            |host| host.tamper(STATUS, apt::paragraph("curl", "7.0", "install ok half-configured")),
            |host| host.tamper(apt::STATES, "Package: nginx\nArchitecture: amd64\nAuto-Installed: 1\n"),
        ],
    }
}

mod apt_repository {
    use super::apt;
    use uphold_builtin::AptRepository;
    use uphold_resource::Value;

    fn list(words: &[&str]) -> Value {
        Value::list(words.iter().map(|word| Value::text(*word)))
    }

    const PATH: &str = "/etc/apt/sources.list.d/x.sources";

    uphold_testkit::laws! {
        AptRepository,
        world: apt::machine,
        wishes: [
            { "x", uris = list(&["https://a.example"]), suites = list(&["stable"]) },
            { "x", uris = list(&["https://a.example"]), suites = list(&["stable"]), components = list(&["main", "free"]) },
            { "x", uris = list(&["https://a.example"]), suites = list(&["x/"]), signed_by = "/etc/apt/keyrings/x.asc", enabled = false },
            { "x", uris = list(&["https://b.example"]), suites = list(&["x/"]), types = list(&["deb", "deb-src"]), trusted = true },
            {
                "x", uris = list(&["https://b.example"]), suites = list(&["x/"]), architectures = list(&["amd64"]),
                fields = Value::map([("Languages", Value::text("none"))]), update = false,
            },
        ],
        drift: [
            |host| host.tamper(PATH, "Types: deb\nURIs: https://c.example\nSuites: stable\n"),
            |host| host.delete(PATH),
        ],
        side_effects: ["/var/lib/apt/uphold-x.sources"],
    }
}

mod apt_key {
    use super::{KEY, apt};
    use uphold_builtin::AptKey;
    use uphold_resource::Access;

    uphold_testkit::laws! {
        AptKey,
        world: |host| apt::machine(host).file("/key.asc", KEY, 0o600),
        wishes: [
            { "x", content = KEY },
            { "x", content = KEY, mode = "0640", fingerprint = "C959BDBAFA32A2F89A153B678CFDE12197965A9A" },
            { "x", source = "/key.asc" },
        ],
        drift: [
            |host| host.tamper("/etc/apt/keyrings/x.asc", "x"),
            |host| host.change_access("/etc/apt/keyrings/x.asc", Access { mode: Some(0o600), ..Access::default() }),
        ],
    }
}

mod apt_update {
    use std::time::Duration;

    use super::apt;
    use uphold_builtin::AptUpdate;

    uphold_testkit::laws! {
        AptUpdate,
        world: |host| {
            let host = apt::machine(host).directory("/var/lib/apt/periodic", 0o755);
            host.advance(Duration::from_secs(9000));
            host
        },
        wishes: [{ "often", max_age = "2h" }, { "daily", max_age = "1d" }],
    }
}
