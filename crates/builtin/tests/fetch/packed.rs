//! Archives for the tests.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

/// An entry: its type, exact name, mode, and content or link target.
pub(crate) type Member<'a> = (EntryType, &'a str, u32, &'a str);

/// A tar archive of these entries, with any names.
pub(crate) fn tar(members: &[Member<'_>]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (kind, name, mode, text) in members {
        let is_link = matches!(kind, EntryType::Symlink | EntryType::Link);
        let content = if is_link { "" } else { text };
        let mut header = Header::new_gnu();
        let field = &mut header.as_old_mut().name;
        field[..name.len()].copy_from_slice(name.as_bytes());
        if is_link {
            header.as_old_mut().linkname[..text.len()].copy_from_slice(text.as_bytes());
        }
        header.set_entry_type(*kind);
        header.set_mode(*mode);
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, content.as_bytes()).expect("writing to memory");
    }
    builder.into_inner().expect("writing to memory")
}

/// The bytes, compressed with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

/// A small program, as usually shipped.
pub(crate) fn example() -> Vec<u8> {
    gzip(&tar(&[
        (EntryType::Directory, "app-1.0/", 0o755, ""),
        (EntryType::Directory, "app-1.0/bin/", 0o555, ""),
        (EntryType::Regular, "app-1.0/bin/app", 0o755, "#!/bin/sh\n"),
        (EntryType::Symlink, "app-1.0/link", 0o777, "bin/app"),
        (EntryType::Link, "app-1.0/bin/other", 0o755, "app-1.0/bin/app"),
        (EntryType::Regular, "app-1.0/doc/readme", 0o4644, "read me"),
    ]))
}
