//! Random bytes.

use rustix::io::Errno;
use rustix::rand::{GetRandomFlags, getrandom};
use uphold_resource::{Error, Result};

/// Fills `bytes` from getrandom(2). Early after a boot this waits until the kernel's generator is ready.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        match getrandom(&mut *rest, GetRandomFlags::empty()) {
            Ok(filled) => rest = &mut rest[filled..],
            Err(Errno::INTR) => {}
            Err(errno) => {
                let source = std::io::Error::from(errno);
                return Err(Error::failed("cannot get random bytes from the kernel").because(source));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_all_with_different_bytes() {
        // More than the kernel returns at once without a possible interruption.
        let [mut one, mut other] = [[0_u8; 1000], [0_u8; 1000]];
        fill(&mut one).unwrap();
        fill(&mut other).unwrap();
        assert_ne!(one, other);
        assert!(one[990..].iter().any(|byte| *byte != 0));
    }
}
