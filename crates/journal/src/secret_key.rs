//! The key under which secrets are compared: only their HMAC is stored.

use std::fmt;
use std::io;

use data_encoding::HEXLOWER;
use rustix::io::Errno;
use rustix::rand::{GetRandomFlags, getrandom};
use sha2::{Digest as _, Sha256};

use crate::failure::{Attempt, Failure, Result};
use crate::storage::{Creation, Part, Storage};

const FILE: &str = "key";
const BLOCK: usize = 64;

/// 32 random bytes that never leave the state directory.
#[derive(Clone)]
pub struct SecretKey([u8; 32]);

impl SecretKey {
    /// Reads the key, and creates it once. A damaged key is replaced: then secrets compare as unknown once.
    pub(crate) fn open(storage: &dyn Storage) -> Result<Self> {
        for is_last in [false, true] {
            match storage.read(FILE, Part::All) {
                Ok(content) => match Self::parse(&content) {
                    Some(key) => return Ok(key),
                    None => storage.remove(FILE).attempt("remove", FILE)?,
                },
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Failure::new("read", FILE, error)),
            }
            match Self::create(storage) {
                // Another process was faster: its key counts.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !is_last => {}
                result => return result.attempt("create", FILE),
            }
        }
        Err(Failure::new("create", FILE, io::ErrorKind::AlreadyExists.into()))
    }

    /// The key, if there is one that is not damaged.
    pub(crate) fn existing(storage: &dyn Storage) -> Option<Self> {
        Self::parse(&storage.read(FILE, Part::All).ok()?)
    }

    pub(crate) fn exists(storage: &dyn Storage) -> bool {
        storage.read(FILE, Part::All).is_ok()
    }

    fn create(storage: &dyn Storage) -> io::Result<Self> {
        let mut key = [0; 32];
        fill(&mut key)?;
        let file = storage.append_to(FILE, Creation::New)?;
        file.append(format!("{}\n", HEXLOWER.encode(&key)).as_bytes())?;
        file.sync()?;
        Ok(Self(key))
    }

    fn parse(content: &[u8]) -> Option<Self> {
        let bytes = HEXLOWER.decode(content.trim_ascii()).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// Names the key without revealing it, so that values under different keys are not compared.
    fn id(&self) -> String {
        HEXLOWER.encode(&self.hmac(b"id")[..4])
    }

    /// The stored form of a secret value: the name of the key, and half of the HMAC.
    pub fn hidden(&self, value: &[u8]) -> String {
        format!("{}.{}", self.id(), HEXLOWER.encode(&self.hmac(value)[..16]))
    }

    /// HMAC-SHA-256 (RFC 2104).
    pub(crate) fn hmac(&self, message: &[u8]) -> [u8; 32] {
        hmac(&self.0, message)
    }
}

/// The key is shorter than a block.
fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; BLOCK];
    block[..key.len()].copy_from_slice(key);
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(message).finalize();
    let outer = Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize();
    outer.into()
}

fn fill(bytes: &mut [u8]) -> io::Result<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        match getrandom(&mut *rest, GetRandomFlags::empty()) {
            Ok(filled) => rest = &mut rest[filled..],
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(())
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Durability, MemoryStorage};

    #[test]
    fn equals_the_test_vectors_of_rfc_4231() {
        let check = |key: &[u8], message: &[u8], start: &str| {
            assert_eq!(HEXLOWER.encode(&hmac(key, message)[..8]), start);
        };
        check(&[0x0b; 20], b"Hi There", "b0344c61d8db3853");
        check(b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e");
        check(&[0xaa; 20], &[0xdd; 50], "773ea91e36800e46");
    }

    #[test]
    fn is_created_once_and_replaced_if_damaged() {
        let disk = MemoryStorage::default();
        let key = SecretKey::open(&disk).unwrap();
        assert_eq!(SecretKey::open(&disk).unwrap().0, key.0);
        assert_eq!(format!("{key:?}"), "SecretKey");
        disk.replace(FILE, b"damaged", Durability::Synced).unwrap();
        assert_ne!(SecretKey::open(&disk).unwrap().id(), key.id());
    }
}
