//! Downloads from servers that behave, and from others.

mod asking;
mod ground;
mod resuming;
mod safety;
mod server;
#[path = "../site/mod.rs"]
mod site;

/// As long as a file that is worth going on with, and then some; no two parts of it are equal.
fn large() -> Vec<u8> {
    (0..200_000_u32).flat_map(|number| (number.wrapping_mul(2_654_435_761)).to_le_bytes()).collect()
}
