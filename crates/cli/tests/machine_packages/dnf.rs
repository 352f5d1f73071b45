//! The same kind with dnf and rpm, which work beside apt on a Debian host.

use uphold_testbed::{Bed, Host, Story};

/// A host whose dnf has one repository with these packages.
fn host(name: &str, packages: &[(&str, &str)]) -> Option<Host> {
    let host = Bed::open(env!("CARGO_BIN_EXE_uphold"))?.plain(name);
    host.ok("mkdir -p /srv/rpms /etc/yum.repos.d /etc/dnf/vars /etc/rpm; echo '%_dbpath /var/lib/rpm' >/etc/rpm/macros; echo 9 >/etc/dnf/vars/releasever");
    host.write("/etc/dnf/dnf.conf", "[main]\nmodule_platform_id=platform:el9\n");
    host.write("/etc/yum.repos.d/test.repo", "[test]\nname=test\nbaseurl=file:///srv/rpms\ngpgcheck=0\n");
    for (name, version) in packages {
        let spec = format!(
            "Name: {name}\nVersion: {version}\nRelease: 1\nSummary: x\nLicense: x\nBuildArch: noarch\n%description\nx\n%files\n"
        );
        host.write("/tmp/x.spec", &spec);
        host.ok("rpmbuild -bb --define '_topdir /tmp/build' --define '_rpmdir /srv/rpms' /tmp/x.spec >/dev/null 2>&1");
    }
    // A query of dnf leaves a lock file there; mounts are not part of the host's digest.
    host.ok("mount -t tmpfs tmp /var/tmp");
    host.ok("createrepo_c -q /srv/rpms && dnf -q makecache");
    Some(host)
}

#[test]
fn one_package() {
    let packages = [("hello", "1.0"), ("hello", "1.2"), ("hello", "1.10"), ("other", "1")];
    let Some(host) = host("dnf", &packages) else { return };
    let hello = |more: &str| format!("package \"hello\" {{\n provider = \"dnf\"\n {more}\n}}");
    Story::of(&host, "a version")
        .configuration(&hello("version = \"1.2*\"\n allow_downgrade = true"))
        .drift("version", "dnf -q -y install hello-1.10-1")
        .drift("version", "dnf -q -y downgrade hello-1.0-1")
        .missing("dnf -q -y remove hello")
        .change_to(&hello("version = \"latest\""), "rpm -q hello | grep -q 1.10")
        .wrong(&hello("version = \"1.0-1\"\n hold = true"), "hold")
        .removed_by(&hello("action = \"remove\""), "! rpm -q hello")
        .run();
    host.write(
        &format!("{}/site.hcl", Host::SITE),
        r#"
        package "hello" { provider = "dnf" }
        package "nosuch" { provider = "dnf" }
        package "other" { provider = "dnf" }
        "#,
    );
    let ran = host.uphold(&["apply", "site.hcl"]);
    assert_eq!(ran.status, 1, "{ran}");
    assert!(ran.stderr.contains("the package `nosuch` is not available"), "{ran}");
    host.ok("rpm -q hello other");
}
