//! Trusted certificates.

use std::path::{Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Result};
use ureq::tls::{PemItem, RootCerts, parse_pem};

use crate::io_error::io_error;

/// The bundles of distributions: Debian and Alpine, Fedora, SUSE.
const BUNDLES: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// The certificates that this machine trusts; `SSL_CERT_FILE` names another bundle, as for other programs.
pub(super) fn of_machine() -> Result<RootCerts> {
    let chosen = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
    let known = BUNDLES.iter().map(PathBuf::from).find(|path| path.exists());
    let path = chosen.or(known).ok_or_else(|| {
        let what = "this machine has no trusted CA certificates";
        Error::new(ErrorKind::Missing, what).hint("install the package `ca-certificates`, or set `ca`")
    })?;
    read(&content(&path)?).map_err(|error| error.while_(format!("reading {}", path.display())))
}

fn content(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| io_error("read the certificates in", path, error))
}

/// The certificates in `pem`.
pub(super) fn read(pem: &[u8]) -> Result<RootCerts> {
    let certificates: Vec<_> = parse_pem(pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    if certificates.is_empty() {
        return Err(
            Error::new(ErrorKind::Invalid, "it contains no certificate").hint("write certificates in PEM")
        );
    }
    Ok(RootCerts::new_with_certs(&certificates))
}
