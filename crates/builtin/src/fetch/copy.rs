//! Comparison of a file with the version on its server.

use uphold_kit::checksum::{Algorithm, Checksum, Hasher};
use uphold_resource::{Flow, Property, Reading, Result, Url};

use super::connection::{Connection, unexpected};
use super::origin::Origin;

/// How a file compares with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Copy {
    /// It is the same.
    Current,
    /// The source has a newer version.
    Outdated,
    /// The file was changed locally, or has another source.
    Altered,
}

impl Copy {
    /// The result of a comparison with a source that has no versions.
    pub(crate) fn compared(is_same: bool) -> Self {
        if is_same { Copy::Current } else { Copy::Outdated }
    }
}

/// Asks the server whether its version is still `origin`, which belongs to a file with this digest.
///
/// Costs one request, answered without content if nothing has changed. A server without versions sends the whole
/// file.
pub(crate) fn ask(
    url: &Url,
    origin: &Origin,
    content: &Checksum,
    connection: &Connection,
    host: &Reading<'_>,
) -> Result<Copy> {
    let mut request = connection.request("GET", url, host)?;
    if let Some((name, value)) = origin.condition() {
        request = request.with(name, value);
    }
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let response = host.fetch(&request, &mut |head, piece| {
        hasher.update(piece);
        let is_known = head.status != 200 || origin.condition().is_some();
        Ok(if is_known { Flow::Enough } else { Flow::More })
    })?;
    match response.status {
        304 => Ok(Copy::Current),
        200 if origin.condition().is_some() => Ok(Copy::compared(origin.is_same_version(&response))),
        200 => Ok(Copy::compared(hasher.finish() == *content)),
        _ => Err(unexpected(url, &response)),
    }
}
