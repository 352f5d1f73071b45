//! Detection of containers and virtual machines.

use std::path::Path;

use uphold_resource::{Result, Value};

use super::machine::{Machine, kernel_hint};

/// Files that container managers create in a container.
const CONTAINER_FILES: &[&str] =
    &["/run/.containerenv", "/.dockerenv", "/run/host/container-manager", "/run/systemd/container"];

/// Parts of the control group of process 1 in a container.
const CONTAINER_GROUPS: &[&str] = &["/docker/", "/kubepods", "/lxc/", "/lxc.payload", "/libpod-"];

/// Files of the firmware that name the manufacturer.
const FIRMWARE: &[&str] = &["sys_vendor", "product_name", "bios_vendor", "board_vendor"];

/// Manufacturers in the firmware of virtual machines.
const VIRTUAL_MAKERS: &[&str] = &[
    "QEMU",
    "KVM",
    "VMware",
    "VMW",
    "innotek GmbH",
    "VirtualBox",
    "Xen",
    "Bochs",
    "Parallels",
    "BHYVE",
    "OpenStack",
    "Google Compute Engine",
    "Virtual Machine",
    "Apple Virtualization",
    "Firecracker",
];

pub(super) fn virtualization(_: &Machine<'_>) -> Result<Value> {
    let word = if in_container() {
        "container"
    } else if in_virtual_machine() {
        "vm"
    } else {
        "none"
    };
    Ok(Value::from(word))
}

fn in_container() -> bool {
    let exists = |path: &&str| Path::new(path).exists();
    let group = kernel_hint("/proc/1/cgroup");
    let environment = kernel_hint("/proc/1/environ");
    CONTAINER_FILES.iter().any(exists)
        || (exists(&"/proc/vz") && !exists(&"/proc/bc"))
        || environment.split('\0').any(|entry| entry.starts_with("container="))
        || CONTAINER_GROUPS.iter().any(|word| group.contains(word))
}

fn in_virtual_machine() -> bool {
    let is_host = kernel_hint("/proc/xen/capabilities").contains("control_d");
    let firmware = FIRMWARE.iter().map(|name| kernel_hint(&format!("/sys/class/dmi/id/{name}")));
    !is_host
        && (has_hypervisor(&kernel_hint("/proc/cpuinfo"))
            || Path::new("/sys/hypervisor/type").exists()
            || Path::new("/proc/device-tree/hypervisor").exists()
            || firmware.into_iter().any(|text| VIRTUAL_MAKERS.iter().any(|maker| text.contains(maker))))
}

/// Whether the processor has the flag of a hypervisor.
fn has_hypervisor(info: &str) -> bool {
    let flags = info.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    flags.split_whitespace().any(|flag| flag == "hypervisor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_the_hypervisor_flag() {
        assert!(has_hypervisor("model\t: 1\nflags\t\t: fpu hypervisor lm\n"));
        assert!(!has_hypervisor("model name\t: hypervisor\nflags\t\t: fpu lm\n"));
        assert!(!has_hypervisor(""));
    }
}
