//! Another root, which has files but no running system.

use uphold_testbed::Bed;

use super::hcl;

const IMAGE: &str = "mkdir -p /tmp/image/etc/default /tmp/image/usr/share/zoneinfo /tmp/image/tmp && \
    touch /tmp/image/usr/share/zoneinfo/UTC && echo 'ID=debian' >/tmp/image/etc/os-release";

#[test]
fn an_image_gets_the_files_and_the_machine_is_unchanged() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("imager");
    host.ok(IMAGE);
    let text = hcl(r#"
        mount "/srv/data" { device = "tmpfs"; fstype = "tmpfs" }
        sysctl "net.ipv4.ip_forward" { value = 1 }
        kernel_module "dummy" {}
        hostname "image" {}
        timezone "UTC" {}
        locale "C.UTF-8" {}
        "#);
    host.write("/run/uphold-testbed/site/a.hcl", &text);
    let before = host.digest();
    let ran = host.uphold(&["apply", "--root", "/tmp/image", "a.hcl"]);
    assert!(ran.status == 0, "{ran}");
    let again = host.uphold(&["plan", "--root", "/tmp/image", "a.hcl"]);
    assert!(again.status == 0, "{again}");
    assert!(before.difference(&host.digest()).is_empty(), "{}", before.difference(&host.digest()));
    let files = "cd /tmp/image/etc && cat fstab sysctl.d/* modules-load.d/* hostname timezone default/locale";
    assert_eq!(
        host.ok(files),
        "tmpfs\t/srv/data\ttmpfs\tdefaults\t0\t0\nnet.ipv4.ip_forward = 1\ndummy\nimage\nUTC\nLANG=C.UTF-8\n"
    );
    host.ok(
        "! mountpoint -q /srv/data && test $(hostname) != image && test $(sysctl -n net.ipv4.ip_forward) = 0",
    );
}

#[test]
fn kinds_that_need_a_running_machine_say_so() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("images");
    host.ok(IMAGE);
    for text in [
        r#"mount "/srv/data" { device = "tmpfs"; mounted = true }"#,
        r#"swap "/swap" { size = "1M"; active = true }"#,
        r#"sysctl "net.ipv4.ip_forward" { runtime = 1 }"#,
        r#"kernel_module "dummy" { loaded = true }"#,
        r#"hostname "image" { runtime = "image" }"#,
    ] {
        host.write("/run/uphold-testbed/site/a.hcl", &hcl(text));
        let ran = host.uphold(&["plan", "--root", "/tmp/image", "a.hcl"]);
        let expected = ran.to_string();
        assert!(
            ran.status == 1 && expected.contains("needs a running system") && expected.contains("image"),
            "{ran}"
        );
    }
}
