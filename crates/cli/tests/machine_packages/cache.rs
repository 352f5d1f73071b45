//! The package lists and their maximal age.

use uphold_testbed::{Package, Story};

use crate::ground::Ground;

const OLD: &str =
    "touch -d '2 days ago' /var/lib/apt/lists; rm -f /var/lib/apt/periodic/update-success-stamp";

#[test]
fn lists_are_updated_when_a_package_is_missing() {
    let Some(mut ground) = Ground::new("cache", &[Package::new("one", "1")]) else { return };
    ground.repository.add(&[Package::new("two", "1"), Package::new("one", "2"), Package::new("three", "1")]);
    ground.ok(OLD);
    let (code, said) = ground.apply(r#"package "two" { update_cache = false }"#);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("the package `two` is not available"), "{said}");
    let (code, said) = ground.apply("package \"one\" {}\npackage \"two\" {}\npackage \"none\" {}");
    assert_eq!((code, ground.version("two").as_str()), (1, "1"), "{said}");
    assert_eq!(ground.version("one"), "2", "the lists that were updated count for all");
    // They are fresh now, so they are not updated again.
    ground.repository.add(&[Package::new("four", "1")]);
    let (code, said) = ground.apply(r#"package "four" {}"#);
    assert_eq!(code, 1, "{said}");
}

#[test]
fn lists_have_an_age() {
    let Some(mut ground) = Ground::new("age", &[Package::new("one", "1")]) else { return };
    ground.repository.add(&[Package::new("one", "2")]);
    ground.ok(OLD);
    let (code, said) = ground.apply(r#"package "one" { cache_max_age = "3d" }"#);
    assert_eq!((code, ground.version("one").as_str()), (0, "1"), "{said}");
    ground.ok("apt-get remove -y one");
    ground.ok(OLD);
    let (code, said) = ground.apply(r#"package "one" { cache_max_age = "1d" }"#);
    assert_eq!((code, ground.version("one").as_str()), (0, "2"), "{said}");
}

#[test]
fn lists_are_kept_fresh() {
    let Some(mut ground) = Ground::new("fresh", &[Package::new("one", "1")]) else { return };
    ground.ok("apt-get install -y one");
    ground.repository.add(&[Package::new("one", "2")]);
    ground.ok(OLD);
    Story::of(&ground, "fresh lists")
        .configuration(r#"apt_update "daily" { max_age = "1d" }"#)
        .drift("fresh", OLD)
        .wrong("apt_update \"daily\" {\n fresh = false\n}", "fresh")
        .wrong(r#"apt_update "daily" { max_age = "soon" }"#, "max_age")
        .wrong(r#"apt_update "daily" { max_age = "0s" }"#, "at least one minute")
        .run();
    ground.repository.add(&[Package::new("one", "3")]);
    ground.ok(OLD);
    let (code, said) = ground.apply("package \"one\" {\n version = \"latest\"\n}\napt_update \"daily\" {}");
    assert_eq!((code, ground.version("one").as_str()), (0, "3"), "{said}");
}

#[test]
fn the_newest_version_is_followed() {
    let Some(mut ground) = Ground::new("latest", &[Package::new("one", "1.2")]) else { return };
    Story::of(&ground, "the newest").configuration(r#"package "one" { version = "latest" }"#).run();
    ground.repository.add(&[Package::new("one", "1.10")]);
    ground.ok("apt-get update");
    let (code, said) = ground.apply(r#"package "one" { version = "latest" }"#);
    assert_eq!((code, ground.version("one").as_str()), (0, "1.10"), "{said}");
    // Pinned by a preference: the candidate is older, and no package is downgraded.
    ground.write("/etc/apt/preferences.d/one", "Package: one\nPin: version 1.2\nPin-Priority: 990\n");
    let (code, said) = ground.apply(r#"package "one" { version = "latest" }"#);
    assert_eq!((code, ground.version("one").as_str()), (0, "1.10"), "{said}");
}
