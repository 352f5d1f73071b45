//! The package lists and their maximal age.

use uphold_testbed::{Package, Story};

use super::sandbox::Sandbox;

const OLD: &str =
    "touch -d '2 days ago' /var/lib/apt/lists; rm -f /var/lib/apt/periodic/update-success-stamp";

#[test]
fn lists_are_updated_when_a_package_is_missing() {
    let Some(mut sandbox) = Sandbox::new("cache", &[Package::new("one", "1")]) else { return };
    sandbox.repository.add(&[Package::new("two", "1"), Package::new("one", "2"), Package::new("three", "1")]);
    sandbox.ok(OLD);
    let (code, printed) = sandbox.apply(r#"package "two" { update_cache = false }"#);
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("the package `two` is not available"), "{printed}");
    let (code, printed) = sandbox.apply("package \"one\" {}\npackage \"two\" {}\npackage \"none\" {}");
    assert_eq!((code, sandbox.version("two").as_str()), (1, "1"), "{printed}");
    assert_eq!(sandbox.version("one"), "2", "the lists that were updated count for all");
    // They are fresh now, so they are not updated again.
    sandbox.repository.add(&[Package::new("four", "1")]);
    let (code, printed) = sandbox.apply(r#"package "four" {}"#);
    assert_eq!(code, 1, "{printed}");
}

#[test]
fn lists_have_an_age() {
    let Some(mut sandbox) = Sandbox::new("age", &[Package::new("one", "1")]) else { return };
    sandbox.repository.add(&[Package::new("one", "2")]);
    sandbox.ok(OLD);
    let (code, printed) = sandbox.apply(r#"package "one" { cache_max_age = "3d" }"#);
    assert_eq!((code, sandbox.version("one").as_str()), (0, "1"), "{printed}");
    sandbox.ok("apt-get remove -y one");
    sandbox.ok(OLD);
    let (code, printed) = sandbox.apply(r#"package "one" { cache_max_age = "1d" }"#);
    assert_eq!((code, sandbox.version("one").as_str()), (0, "2"), "{printed}");
}

#[test]
fn lists_are_kept_fresh() {
    let Some(mut sandbox) = Sandbox::new("fresh", &[Package::new("one", "1")]) else { return };
    sandbox.ok("apt-get install -y one");
    sandbox.repository.add(&[Package::new("one", "2")]);
    sandbox.ok(OLD);
    Story::of(&sandbox, "fresh lists")
        .configuration(r#"apt_update "daily" { max_age = "1d" }"#)
        .drift("fresh", OLD)
        .wrong("apt_update \"daily\" {\n fresh = false\n}", "fresh")
        .wrong(r#"apt_update "daily" { max_age = "soon" }"#, "max_age")
        .wrong(r#"apt_update "daily" { max_age = "0s" }"#, "at least one minute")
        .run();
    sandbox.repository.add(&[Package::new("one", "3")]);
    sandbox.ok(OLD);
    let (code, printed) =
        sandbox.apply("package \"one\" {\n version = \"latest\"\n}\napt_update \"daily\" {}");
    assert_eq!((code, sandbox.version("one").as_str()), (0, "3"), "{printed}");
}

#[test]
fn the_newest_version_is_followed() {
    let Some(mut sandbox) = Sandbox::new("latest", &[Package::new("one", "1.2")]) else { return };
    Story::of(&sandbox, "the newest").configuration(r#"package "one" { version = "latest" }"#).run();
    sandbox.repository.add(&[Package::new("one", "1.10")]);
    sandbox.ok("apt-get update");
    let (code, printed) = sandbox.apply(r#"package "one" { version = "latest" }"#);
    assert_eq!((code, sandbox.version("one").as_str()), (0, "1.10"), "{printed}");
    // Pinned by a preference: the candidate is older, and no package is downgraded.
    sandbox.write("/etc/apt/preferences.d/one", "Package: one\nPin: version 1.2\nPin-Priority: 990\n");
    let (code, printed) = sandbox.apply(r#"package "one" { version = "latest" }"#);
    assert_eq!((code, sandbox.version("one").as_str()), (0, "1.10"), "{printed}");
}
