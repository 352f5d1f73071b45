//! One package from installation to removal.

use uphold_testbed::{Package, Story};

use super::sandbox::Sandbox;

fn hello(version: &str) -> Package {
    Package::new("hello", version).conffile("/etc/hello.conf", &format!("v={version}\n"))
}

#[test]
fn a_pinned_version_is_kept() {
    let packages = [hello("1.0"), hello("1.1"), hello("1.10"), Package::new("app", "1.0").depends("hello")];
    let Some(sandbox) = Sandbox::new("package", &packages) else { return };
    Story::of(&sandbox, "a version that is held")
        .configuration(
            r#"package "hello" {
                version         = "1.1"
                hold            = true
                allow_downgrade = true
            }"#,
        )
        .drift("version", "apt-get install -y --allow-change-held-packages hello=1.10")
        .drift("version", "apt-get install -y --allow-change-held-packages --allow-downgrades hello=1.0")
        .drift("hold", "apt-mark unhold hello")
        .drift("manual", "apt-mark auto hello")
        .missing("apt-get remove -y --allow-change-held-packages hello")
        .change_to(
            "package \"hello\" {\n version = \"latest\"\n hold = false\n}",
            "dpkg-query -W hello | grep -q 1.10 && test -z \"$(apt-mark showhold)\"",
        )
        .change_to(
            "package \"hello\" {\n version = \"1.0*\"\n allow_downgrade = true\n manual = false\n}",
            "dpkg-query -W hello | grep -qw 1.0 && apt-mark showauto | grep -qx hello",
        )
        .wrong(r#"package "hello" { version = ">= 1.1" }"#, "is not a version")
        .wrong(r#"package "hello" { version = "7.0" }"#, "is not available")
        .wrong(r#"package "-o" {}"#, "name")
        .wrong(r#"package "hello" { options = ["world"] }"#, "must be options")
        .removed_by(
            r#"package "hello" { action = "remove" }"#,
            "test -e /etc/hello.conf && ! dpkg-query -s hello | grep -q 'ok installed'",
        )
        .run();
}

#[test]
fn a_package_is_watched() {
    let Some(sandbox) = Sandbox::new("watched", &[hello("1.0"), hello("1.1")]) else { return };
    Story::of(&sandbox, "a package that is watched")
        .configuration("package \"hello\" {\n version = \"1.0\"\n hold = true\n allow_downgrade = true\n}")
        .drift("version", "apt-get install -y --allow-change-held-packages hello=1.1")
        .drift("hold", "apt-mark unhold hello")
        .missing("apt-get purge -y --allow-change-held-packages hello")
        .watch()
        .run();
}

#[test]
fn removed_or_purged() {
    let Some(sandbox) = Sandbox::new("purge", &[hello("1.0")]) else { return };
    Story::of(&sandbox, "purged")
        .configuration(r#"package "hello" {}"#)
        .removed_by(
            "package \"hello\" {\n action = \"remove\"\n purge = true\n}",
            "! test -e /etc/hello.conf && ! dpkg-query -s hello",
        )
        .run();
    sandbox.ok("apt-get install -y hello; apt-get remove -y hello; test -e /etc/hello.conf");
    let (code, printed) = sandbox.apply(r#"package "hello" { action = "remove" }"#);
    assert_eq!(code, 0, "{printed}");
    sandbox.ok("test -e /etc/hello.conf");
    Story::of(&sandbox, "what is left of a removed package is purged")
        .configuration("package \"hello\" {\n action = \"remove\"\n purge = true\n}")
        .run();
    sandbox.ok("! test -e /etc/hello.conf");
}

#[test]
fn changed_configuration_files_are_kept() {
    let Some(sandbox) = Sandbox::new("conffiles", &[hello("1.0"), hello("1.1"), hello("1.2")]) else {
        return;
    };
    sandbox.ok("apt-get install -y hello=1.0; echo mine >/etc/hello.conf");
    let (code, printed) = sandbox.apply(r#"package "hello" { version = "1.1" }"#);
    assert_eq!((code, sandbox.read("/etc/hello.conf").as_str()), (0, "mine\n"), "{printed}");
    let (code, printed) =
        sandbox.apply("package \"hello\" {\n version = \"1.2\"\n config_files = \"new\"\n}");
    assert_eq!((code, sandbox.read("/etc/hello.conf").as_str()), (0, "v=1.2\n"), "{printed}");
}

#[test]
fn from_a_file() {
    let packages =
        [hello("1.0"), hello("1.1"), Package::new("lib", "1"), Package::new("app", "3").depends("lib")];
    let Some(sandbox) = Sandbox::new("source", &packages) else { return };
    sandbox.ok("cp /srv/repo/pool/app_3_all.deb /srv/app.deb; cp /srv/repo/pool/hello_1.0_all.deb /srv/hello.deb; chmod 600 /srv/*.deb");
    Story::of(&sandbox, "a package from a file, with what it needs")
        .configuration(r#"package "app" { source = "/srv/app.deb" }"#)
        .missing("apt-get remove -y app")
        .wrong(r#"package "app" { source = "/srv/hello.deb" }"#, "contains the package `hello`")
        .wrong(r#"package "app" { source = "/srv/none.deb" }"#, "does not exist")
        .wrong(r#"package "app" { source = "/etc/passwd" }"#, "is not a Debian package")
        .wrong("package \"app\" {\n source = \"/srv/app.deb\"\n version = \"3\"\n}", "version")
        .run();
    assert_eq!(sandbox.version("lib"), "1");
    Story::of(&sandbox, "another version of the file is another package")
        .configuration(r#"package "hello" { source = "/srv/hello.deb" }"#)
        .drift("version", "cp /srv/repo/pool/hello_1.1_all.deb /srv/hello.deb")
        .run();
}

#[test]
fn recommended_packages_are_a_choice() {
    let app = Package::new("app", "1").field("Recommends", "extra");
    let Some(sandbox) = Sandbox::new("recommends", &[app, Package::new("extra", "1")]) else { return };
    let (code, printed) = sandbox.apply(r#"package "app" { install_recommends = false }"#);
    assert_eq!((code, sandbox.version("extra").as_str()), (0, ""), "{printed}");
    sandbox.ok("apt-get remove -y app");
    let (code, printed) = sandbox.apply(r#"package "app" { install_recommends = true }"#);
    assert_eq!((code, sandbox.version("extra").as_str()), (0, "1"), "{printed}");
}

#[test]
fn another_root() {
    let Some(sandbox) = Sandbox::new("root", &[hello("1.0")]) else { return };
    // Another root inside the host, with everything that apt needs.
    sandbox.ok("mkdir -p /srv/image /srv/image/srv/repo
        for d in usr etc; do mkdir -p /srv/image/$d; cp -a /$d/. /srv/image/$d/ 2>/dev/null; done
        for d in bin sbin lib lib64; do cp -a /$d /srv/image/; done
        mkdir -p /srv/image/var/cache/apt/archives/partial /srv/image/var/log/apt /srv/image/tmp /srv/image/dev; chmod 1777 /srv/image/tmp
        cp -a /var/lib /srv/image/var/; cp -a /srv/repo/. /srv/image/srv/repo/; cp -a /dev/null /srv/image/dev/");
    sandbox.write(&format!("{}/site.hcl", uphold_testbed::Host::SITE), r#"package "hello" {}"#);
    let ran = sandbox.uphold(&["apply", "--root", "/srv/image", "site.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    sandbox.ok("test -e /srv/image/etc/hello.conf && ! test -e /etc/hello.conf");
    assert_eq!(sandbox.version("hello"), "");
}
