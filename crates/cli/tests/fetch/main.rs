//! Downloads from correct and from faulty servers.

mod requests;
mod resuming;
mod safety;
mod sandbox;
mod server;
#[path = "../site/mod.rs"]
mod site;

/// Content that is long enough to be resumed; no two parts of it are equal.
fn large() -> Vec<u8> {
    (0..200_000_u32).flat_map(|number| (number.wrapping_mul(2_654_435_761)).to_le_bytes()).collect()
}
