//! Each format of each version is written and read back byte by byte.

#[path = "golden/saved_plan.rs"]
mod saved_plan;

use std::fmt::Write;
use std::path::PathBuf;

/// The golden file of a format. `UPHOLD_GOLDEN=write` writes those that are missing, and never changes one: what was
/// released stays as it was.
#[expect(clippy::disallowed_methods, reason = "the test reads its own files")]
fn golden(name: &str, written: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name].iter().collect();
    if !path.exists() && std::env::var_os("UPHOLD_GOLDEN").is_some() {
        std::fs::write(&path, written).expect("the golden file can be written");
    }
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A stand-in for the digest of the real writer, which needs a library of its own.
fn digest(text: &[u8]) -> String {
    let hash = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut hex = String::new();
    write!(hex, "{hash:016x}").expect("writing to memory cannot fail");
    hex
}
