//! The kinds `sysctl` and `kernel_module`. Only the network settings of the kernel are separate for each host, and the
//! kernel of the test machines has no modules, so that only their files and failures can be tested.

use uphold_testbed::{Bed, Story};

use super::hcl;

#[test]
fn settings_of_the_kernel() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("sysctl");
    let file = "/etc/sysctl.d/99-uphold-net.ipv4.ip_forward.conf";
    Story::of(&host, "forwarding")
        .wrong(r#"sysctl "net.ipv4.ip_forward" {}"#, "`value`")
        .wrong(r#"sysctl "net.ipv4.ip_forward" { value = true }"#, "use 0 or 1")
        .wrong(r#"sysctl "net.ipv4.ip_forwad" { value = 1 }"#, "did you mean net.ipv4.ip_forward?")
        .wrong(r#"sysctl "nothing" { value = 1 }"#, "not the name of a kernel setting")
        .wrong(&hcl(r#"sysctl "net.ipv4.ip_forward" { value = 1; runtime = 1 }"#), "excludes")
        .configuration(r#"sysctl "net.ipv4.ip_forward" { value = 1 }"#)
        .holds(&format!(
            "grep -qx 'net.ipv4.ip_forward = 1' {file} && test $(sysctl -n net.ipv4.ip_forward) = 1"
        ))
        .drift("runtime", "sysctl -qw net.ipv4.ip_forward=0")
        .drift("persistent", &format!("sed -i s/1/0/ {file}"))
        .drift("persistent", &format!("rm {file}"))
        .watch()
        .change_to(r#"sysctl "net.ipv4.ip_forward" { runtime = 0 }"#, &format!("grep -q '= 1' {file}"))
        .removed_by(
            &hcl(r#"sysctl "net.ipv4.ip_forward" { runtime = 0; action = "remove" }"#),
            &format!("! test -e {file} && test $(sysctl -n net.ipv4.ip_forward) = 0"),
        )
        .run();
    Story::of(&host, "several in one file")
        .configuration(&hcl(r#"
            sysctl "net.ipv4.ip_local_port_range" { value = "20000 30000"; file = "/etc/sysctl.conf" }
            sysctl "net/ipv4/conf/lo/rp_filter" { value = 1; file = "/etc/sysctl.conf" }
            sysctl "net.nothing.at_all" { value = [1, 2]; file = "/etc/sysctl.conf"; ignore_unknown = true }
            "#))
        .holds("grep -qx -- '-net.nothing.at_all = 1 2' /etc/sysctl.conf")
        .drift("runtime", "sysctl -qw net.ipv4.ip_local_port_range='20000 40000'")
        .drift("persistent", "sed -i /rp_filter/d /etc/sysctl.conf")
        .drift("persistent", "echo net/nothing/at_all=7 >>/etc/sysctl.conf")
        .change_to(
            &hcl(r#"sysctl "net.ipv4.ip_local_port_range" { persistent = null; file = "/etc/sysctl.conf" }"#),
            "! grep -q port /etc/sysctl.conf",
        )
        .run();
}

#[test]
fn modules_of_the_kernel() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("module");
    let (load, probe) = ("/etc/modules-load.d/pc_spkr.conf", "/etc/modprobe.d/pc_spkr.conf");
    Story::of(&host, "the files of a module that is not loaded")
        .wrong(r#"kernel_module "a.ko" {}"#, "without directory and `.ko`")
        .wrong(r#"kernel_module "x" { parameters = { a = "1 b=2" } }"#, "without white space")
        .configuration(&hcl(
            r#"kernel_module "pc-spkr" { loaded = false; persistent = true; blacklisted = true; parameters = { volume = 3, quiet = "yes" } }"#,
        ))
        .drift("persistent", &format!("rm {load}"))
        .drift("blacklisted", &format!("sed -i /blacklist/d {probe}"))
        .drift("parameters", &format!("sed -i s/3/4/ {probe}"))
        .missing(&format!("rm {load} {probe}"))
        .watch()
        .change_to(
            &hcl(r#"kernel_module "pc-spkr" { blacklisted = true; parameters = {} }"#),
            &format!("! test -e {load} && ! grep -q options {probe}"),
        )
        .removed_by(r#"kernel_module "pc_spkr" { action = "remove" }"#, &format!("! test -e {probe}"))
        .run();
    // Built-in modules with parameters are listed by the kernel and count as loaded.
    let part = host.ok("ls /sys/module | head -1").trim().to_owned();
    Story::of(&host, "built into the kernel")
        .wrong(&format!(r#"kernel_module "{part}" {{ loaded = false }}"#), "built into the kernel")
        .configuration(&format!(r#"kernel_module "{part}" {{}}"#))
        .drift("persistent", &format!("rm /etc/modules-load.d/{part}.conf"))
        .removed_by(
            &format!(r#"kernel_module "{part}" {{ action = "remove" }}"#),
            &format!("! test -e /etc/modules-load.d/{part}.conf"),
        )
        .run();
    host.write("/run/uphold-testbed/site/a.hcl", r#"kernel_module "nothing" {}"#);
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert!(ran.status == 1 && ran.to_string().contains("cannot load the kernel module nothing"), "{ran}");
}
