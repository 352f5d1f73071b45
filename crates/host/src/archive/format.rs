//! Archive formats.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use uphold_resource::Result;

use super::contents::Contents;
use super::{tarball, zipped};

/// The format of an archive, given by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `.tar`
    Tar,
    /// `.tar.gz`, `.tgz`
    TarGzip,
    /// `.tar.zst`, `.tzst`
    TarZstandard,
    /// `.zip`
    Zip,
}

/// File name extensions.
const ENDINGS: &[(&str, Format)] = &[
    (".tar", Format::Tar),
    (".tar.gz", Format::TarGzip),
    (".tgz", Format::TarGzip),
    (".tar.zst", Format::TarZstandard),
    (".tzst", Format::TarZstandard),
    (".zip", Format::Zip),
];

impl Format {
    /// The format of a file with this name; `None` if it is not an archive.
    pub(crate) fn of(name: &OsStr) -> Option<Self> {
        let name = name.as_bytes();
        let ending = ENDINGS.iter().find(|(end, _)| name.len() > end.len() && name.ends_with(end.as_bytes()));
        ending.map(|(_, format)| *format)
    }

    /// Unpacks the bytes of an archive into memory.
    ///
    /// # Guarantees
    /// Uses at most 64 MiB and 10,000 entries, whatever the archive claims. Links, devices and the like are recorded by name
    /// only.
    ///
    /// # Errors
    /// If it is damaged, too large, or has entries that lead out of it.
    pub(crate) fn unpack(self, archive: &[u8]) -> Result<Contents> {
        match self {
            Format::Tar => tarball::unpack(archive),
            Format::TarGzip => tarball::unpack(&tarball::gunzip(archive)?),
            Format::TarZstandard => tarball::unpack(&tarball::unzstd(archive)?),
            Format::Zip => zipped::unpack(archive),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_formats_by_name() {
        let check = |name: &str, expected| assert_eq!(Format::of(OsStr::new(name)), expected, "{name}");
        check("web.tar", Some(Format::Tar));
        check("web-1.0.tar.gz", Some(Format::TarGzip));
        check("web.tgz", Some(Format::TarGzip));
        check("web.tar.zst", Some(Format::TarZstandard));
        check("web.zip", Some(Format::Zip));
        check(".zip", None);
        check("web.gz", None);
        check("tar.gz", None);
        check("web.zip.hcl", None);
    }
}
