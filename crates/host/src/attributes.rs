//! Extended attributes.

use std::ffi::CStr;
use std::os::fd::AsFd;

use rustix::fs::XattrFlags;
use rustix::io::Errno;

/// Access control lists are an attribute, too.
const ACCESS_LIST: &CStr = c"system.posix_acl_access";

/// They sign the old content; a new one would be refused.
const SIGNATURES: [&CStr; 2] = [c"security.ima", c"security.evm"];

/// Gives `to` the extended attributes of `from`. What may not be read or set is left out, as is what
/// the file system cannot hold.
pub(crate) fn copy(from: impl AsFd, to: impl AsFd) -> rustix::io::Result<()> {
    let (from, to) = (from.as_fd(), to.as_fd());
    let list = match whole(|buffer| rustix::fs::flistxattr(from, buffer)) {
        Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS) => return Ok(()),
        list => list?,
    };
    let names =
        || list.split_inclusive(|byte| *byte == 0).filter_map(|name| CStr::from_bytes_with_nul(name).ok());
    if !names().any(|name| name == ACCESS_LIST) {
        // The new file may have inherited one from its directory.
        tolerate(rustix::fs::fremovexattr(to, ACCESS_LIST))?;
    }
    for name in names().filter(|name| !SIGNATURES.contains(name)) {
        match whole(|buffer| rustix::fs::fgetxattr(from, name, buffer)) {
            Ok(value) => tolerate(rustix::fs::fsetxattr(to, name, &value, XattrFlags::empty()))?,
            Err(errno) => tolerate(Err(errno))?,
        }
    }
    Ok(())
}

/// Calls again with a larger buffer until the answer fits.
fn whole(get: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    let mut buffer = vec![0; 1024];
    loop {
        match get(&mut buffer) {
            Err(Errno::RANGE) if buffer.len() < 1 << 20 => buffer.resize(buffer.len() * 4, 0),
            Err(errno) => return Err(errno),
            Ok(length) => {
                buffer.truncate(length);
                return Ok(buffer);
            }
        }
    }
}

fn tolerate(result: rustix::io::Result<()>) -> rustix::io::Result<()> {
    match result {
        Err(Errno::NOTSUP | Errno::PERM | Errno::ACCESS | Errno::NODATA) => Ok(()),
        other => other,
    }
}
