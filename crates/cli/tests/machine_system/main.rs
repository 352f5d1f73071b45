//! Mounts, swap, file systems and what a system is called and set to, on disposable hosts.

mod filesystem;
mod identity;
mod image;
mod kernel;
mod mount;
mod swap;

use uphold_testbed::Host;

/// Configuration with several attributes on one line, which the language wants on lines of their own.
fn hcl(text: &str) -> String {
    text.replace(" { ", " {\n").replace("; ", "\n").replace(" }", "\n}")
}

/// An image as a device. Those are the machine's own: it is let go of, and no longer swapped to, whatever becomes of the test.
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
