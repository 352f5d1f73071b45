//! What comes before what, without a word about it.

use uphold_testbed::{Package, Story};

use crate::ground::Ground;

#[test]
fn repositories_packages_and_what_they_bring_along() {
    let hello = Package::new("hello", "1.0").file("/etc/hello/conf.d/base", "1\n");
    let Some(ground) = Ground::new("order", &[hello, Package::new("tool", "1")]) else { return };
    Story::of(&ground, "a repository that needs a package, a package and a file in its directory")
        .configuration(
            r#"
            file "/etc/hello/conf.d/mine" { content = "2\n" }
            package "hello" {}
            apt_repository "extra" {
                uris       = ["file:/srv/repo"]
                suites     = ["./"]
                trusted    = true
                depends_on = [package.tool]
            }
            package "tool" {}
            "#,
        )
        .removed_by(
            r#"
            package "hello" {
                action = "remove"
                purge  = true
            }
            file "/etc/hello/conf.d/mine" { action = "remove" }
            "#,
            "! test -e /etc/hello",
        )
        .tell();
}

/// Whoever is removed keeps nobody away from the directory that it had.
#[test]
fn a_directory_that_another_package_takes_over() {
    let brings = |name: &str| Package::new(name, "1").file("/etc/docker/base", "1\n");
    let new = brings("docker-new").field("Conflicts", "docker").field("Replaces", "docker");
    let Some(ground) = Ground::new("takeover", &[brings("docker"), new]) else { return };
    ground.ok("apt-get install -y docker");
    Story::of(&ground, "another package")
        .configuration(
            r#"
            package "docker" { action = "remove" }
            package "docker-new" { ships = ["/etc/docker"] }
            file "/etc/docker/daemon.json" { content = "{}" }
            "#,
        )
        .tell();
    assert_eq!([ground.version("docker"), ground.version("docker-new")], ["", "1"]);
}
