//! Digests: BLAKE3 of what is found by its digest, and HighwayHash of what is only compared.
//!
//! An object, a chain of lines and a configuration are named by a digest that cannot be forged: BLAKE3, which is fast on every
//! processor. A value is only compared with the value of the same property of the same resource. A forged one would make its
//! author's own change look like no change, so a digest that costs a tenth is enough.

use data_encoding::HEXLOWER;
use highway::{HighwayHash as _, HighwayHasher, Key};

/// The key of the digests of values, the same for all journals: the first digits of pi.
const KEY: Key =
    Key([0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89]);

/// The BLAKE3 digest in hex of bytes that are no secret.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(blake3::hash(bytes).as_bytes())
}

/// The HighwayHash digest of a value that is no secret, for comparisons.
pub(crate) fn value_digest(value: &[u8]) -> [u8; 16] {
    let [first, second] = HighwayHasher::new(KEY).hash128(value).map(u64::to_le_bytes);
    std::array::from_fn(|at| if at < 8 { first[at] } else { second[at - 8] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_stay_the_same_in_all_versions() {
        assert_eq!(hex_digest(b""), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
        assert_eq!(HEXLOWER.encode(&value_digest(b"content")), "b6db222654a6a7b312471052d52d92e1");
        assert_ne!(value_digest(b""), value_digest(b"\0"));
    }
}
