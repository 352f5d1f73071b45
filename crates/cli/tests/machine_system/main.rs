//! Mounts, swap, file systems and what a system is called and set to, on disposable hosts.

mod filesystem;
mod identity;
mod image;
mod kernel;
mod mount;
mod swap;

/// Configuration with several attributes on one line, which the language wants on lines of their own.
fn hcl(text: &str) -> String {
    text.replace(" { ", " {\n").replace("; ", "\n").replace(" }", "\n}")
}
