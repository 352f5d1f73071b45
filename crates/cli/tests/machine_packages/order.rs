//! Implicit dependencies between packages and other resources.

use uphold_testbed::{Host, Package, Story};

use super::sandbox::Sandbox;

#[test]
fn repositories_packages_and_their_files_are_ordered() {
    let hello = Package::new("hello", "1.0").file("/etc/hello/conf.d/base", "1\n");
    let Some(sandbox) = Sandbox::new("order", &[hello, Package::new("tool", "1")]) else { return };
    Story::of(&sandbox, "a repository that needs a package, a package and a file in its directory")
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
        .run();
}

/// Another package can take over the directory of a removed one.
#[test]
fn a_removed_package_does_not_block_its_successor() {
    let brings = |name: &str| Package::new(name, "1").file("/etc/docker/base", "1\n");
    let new = brings("docker-new").field("Conflicts", "docker").field("Replaces", "docker");
    let Some(sandbox) = Sandbox::new("takeover", &[brings("docker"), new]) else { return };
    sandbox.ok("apt-get install -y docker");
    Story::of(&sandbox, "another package")
        .configuration(
            r#"
            package "docker" { action = "remove" }
            package "docker-new" { ships = ["/etc/docker"] }
            file "/etc/docker/daemon.json" { content = "{}" }
            "#,
        )
        .run();
    assert_eq!([sandbox.version("docker"), sandbox.version("docker-new")], ["", "1"]);
}

/// The name of the package does not show what it installs.
#[test]
fn a_first_run_orders_a_package_with_another_name_than_its_service() {
    let server =
        Package::new("tool-server", "1").file("/etc/tool/tool.conf", "a = 1\n").file("/etc/tool/default", "");
    let Some(sandbox) = Sandbox::new("other-name", &[server]) else { return };
    let configuration = r#"
        line "b" {
            file = "/etc/tool/tool.conf"
            line = "b = 2"
        }
        file "/etc/tool/default" { action = "remove" }
        package "tool-server" {}
    "#;
    sandbox.write(&format!("{}/site.hcl", Host::SITE), configuration);
    let plan = sandbox.uphold(&["plan", "site.hcl"]);
    assert!(plan.status == 2 && plan.stdout.contains("depends on package.tool-server"), "{plan}");
    let (status, printed) = sandbox.apply(configuration);
    assert_eq!(status, 0, "{printed}");
    sandbox.ok("grep -qx 'b = 2' /etc/tool/tool.conf && ! test -e /etc/tool/default");
    let again = sandbox.uphold(&["plan", "site.hcl"]);
    assert_eq!(again.status, 0, "{again}");
}

/// The plan shows that the file may exist by then.
#[test]
fn a_file_of_a_package_is_removed_in_the_run_that_installs_it() {
    let hello = Package::new("hello", "1.0").file("/etc/hello/enabled/default", "1\n");
    let Some(sandbox) = Sandbox::new("unwanted", &[hello]) else { return };
    let configuration = r#"
        package "hello" {}
        file "/etc/hello/enabled/default" { action = "remove" }
    "#;
    sandbox.write(&format!("{}/site.hcl", Host::SITE), configuration);
    let plan = sandbox.uphold(&["plan", "site.hcl"]);
    assert!(plan.stdout.contains("depends on package.hello"), "{plan}");
    assert_eq!(sandbox.apply(configuration).0, 0);
    sandbox.ok("test -d /etc/hello/enabled && ! test -e /etc/hello/enabled/default");
    assert_eq!(sandbox.uphold(&["plan", "site.hcl"]).status, 0);
}

#[test]
fn another_version_is_not_removed() {
    let Some(sandbox) = Sandbox::new("other-version", &[Package::new("hello", "1.0")]) else { return };
    sandbox.ok("apt-get install -y hello");
    let remove = |version: &str| {
        format!("package \"hello\" {{\n  action  = \"remove\"\n  version = \"{version}\"\n}}\n")
    };
    assert_eq!(sandbox.apply(&remove("0.0.1-nope")).0, 0);
    assert_eq!(sandbox.version("hello"), "1.0");
    assert_eq!(sandbox.apply(&remove("1.0")).0, 0);
    assert_eq!(sandbox.version("hello"), "");
}
