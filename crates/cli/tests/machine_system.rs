//! Mounts, swap, file systems, host name, locale and time zone on disposable hosts.

mod filesystem;
mod identity;
mod image;
mod kernel;
mod mount;
mod swap;

use uphold_testbed::Host;

/// Puts attributes that are separated on one line on separate lines, as the language requires.
fn hcl(text: &str) -> String {
    text.replace(" { ", " {\n").replace("; ", "\n").replace(" }", "\n}")
}

/// A loop device for an image. Loop devices belong to the real machine, so that swapping is ended and the device
/// detached even if the test fails.
struct LoopDevice<'a> {
    host: &'a Host,
    path: String,
}

impl<'a> LoopDevice<'a> {
    fn of(image: &str, host: &'a Host) -> Self {
        let path = host.ok(&format!("losetup --find --show {image}")).trim().to_owned();
        Self { host, path }
    }
}

impl Drop for LoopDevice<'_> {
    fn drop(&mut self) {
        self.host.run(&format!("swapoff {0}; umount {0}; losetup --detach {0}", self.path));
    }
}
