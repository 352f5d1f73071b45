//! Failures, and the packages that they are attributed to.

use uphold_testbed::{Package, Story};

use super::sandbox::Sandbox;

fn plain(name: &str) -> Package {
    Package::new(name, "1")
}

#[test]
fn a_failing_maintainer_script_fails_only_its_package() {
    let bad = plain("bad").script("postinst", "echo it hurts >&2\ntest -e /srv/fixed\n");
    let packages = [plain("one"), bad, plain("two"), plain("needy").depends("bad")];
    let Some(sandbox) = Sandbox::new("script", &packages) else { return };
    let configuration = r#"
        package "one" {}
        package "bad" {}
        package "two" {}
        package "needy" {}
    "#;
    let (code, printed) = sandbox.apply(configuration);
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("package.bad") && printed.contains("it hurts"), "{printed}");
    assert_eq!([sandbox.version("one"), sandbox.version("two")], ["1", "1"], "{printed}");
    // A half-installed package counts as missing: the next run continues the installation.
    let (code, printed) = sandbox.apply(configuration);
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("it hurts"), "{printed}");
    sandbox.ok("touch /srv/fixed");
    let (code, printed) = sandbox.apply(configuration);
    assert_eq!(code, 0, "{printed}");
    assert_eq!([sandbox.version("bad"), sandbox.version("needy")], ["1", "1"]);
}

#[test]
fn a_half_installed_package_can_be_removed() {
    let Some(sandbox) = Sandbox::new("half", &[plain("bad").script("postinst", "exit 1")]) else { return };
    sandbox.run("apt-get install -y bad");
    Story::of(&sandbox, "a broken package is removed")
        .configuration(r#"package "bad" { action = "remove" }"#)
        .run();
}

#[test]
fn an_unknown_package_does_not_affect_others() {
    let needy = plain("needy").depends("nosuch");
    let virtual_one = plain("provider").field("Provides", "mta");
    let Some(sandbox) = Sandbox::new("unknown", &[plain("one"), plain("two"), needy, virtual_one]) else {
        return;
    };
    let (code, printed) = sandbox.apply(
        r#"
        package "one" {}
        package "nosuch" {}
        package "needy" {}
        package "mta" {}
        package "two" { version = "7" }
        "#,
    );
    assert_eq!(code, 1, "{printed}");
    for words in [
        "the package `nosuch` is not available",
        "cannot install needy",
        "the package `mta` is not available",
        "version \"7\" of the package `two` is not available",
    ] {
        assert!(printed.contains(words), "{words}\n{printed}");
    }
    assert_eq!(sandbox.version("one"), "1", "{printed}");
}

#[test]
fn risky_changes_must_be_allowed_first() {
    let two = |name: &str| [Package::new(name, "1.0"), Package::new(name, "1.10")];
    let Some(sandbox) = Sandbox::new("allowed", &["held", "newer", "kept-away"].map(two).concat()) else {
        return;
    };
    sandbox.ok("apt-get install -y held=1.0 newer; apt-mark hold held kept-away");
    Story::of(&sandbox, "an older version and a held package")
        .wrong(r#"package "newer" { version = "1.0" }"#, "allow_downgrade")
        .wrong(r#"package "held" { version = "latest" }"#, "is on hold")
        .wrong(r#"package "held" { action = "remove" }"#, "is on hold")
        .wrong(r#"package "kept-away" {}"#, "is on hold")
        .wrong("package \"held\" {\n provider = \"dnf\"\n hold = true\n}", "hold")
        .configuration(r#"package "held" { hold = false }"#)
        .removed_by(
            r#"package "held" { action = "remove" }"#,
            "! dpkg-query -s held | grep -q 'ok installed'",
        )
        .run();
}
