//! File systems on which a lock may not be seen by other machines, or by other containers.

use std::os::fd::AsFd;

use rustix::fs::fstatfs;

/// Numbers of statfs(2), and their names.
const SHARED: &[(u64, &str)] = &[
    (0x6969, "NFS"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
    (0x517b, "SMB"),
    (0x0102_1997, "9p"),
    (0x6573_5546, "FUSE"),
    (0x5346_414f, "AFS"),
    (0x00c3_6400, "Ceph"),
];

/// The name of the network file system that a file is on; `None` for local ones.
pub(super) fn network_file_system(file: impl AsFd) -> Option<&'static str> {
    let number = fstatfs(file).ok()?.f_type;
    name(number as u64)
}

fn name(number: u64) -> Option<&'static str> {
    // The numbers have 32 bits; on some platforms the field is signed, and wider.
    let number = number & 0xffff_ffff;
    SHARED.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_file_systems_are_known_by_number() {
        assert_eq!(name(0x6969), Some("NFS"));
        assert_eq!(name(0xffff_ffff_ff53_4d42), Some("CIFS"));
        assert_eq!(name(0xef53), None, "ext4");
        assert_eq!(name(0x0102_1994), None, "tmpfs");
    }
}
