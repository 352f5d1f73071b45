//! Whether a file is what it is a copy of.

use uphold_resource::{Flow, Property, Reading, Result, Url};

use super::checksum::{Checksum, Hasher, Sort};
use super::connection::{Connection, unexpected};
use super::origin::Origin;

/// What a file is, compared with what it is a copy of, or made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Copy {
    /// The same.
    Current,
    /// There is another version now.
    Outdated,
    /// The file was changed here, or came from elsewhere.
    Altered,
}

/// Asks the server whether it has the version that `origin` is of a file with this digest.
///
/// Costs a request that is answered without content if nothing has changed. A server that knows no
/// versions has to send all of it.
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
    let mut hasher = Hasher::new(Sort::Sha256);
    let response = host.fetch(&request, &mut |head, piece| {
        hasher.update(piece);
        let tells = head.status != 200 || origin.condition().is_some();
        Ok(if tells { Flow::Enough } else { Flow::More })
    })?;
    match response.status {
        304 => Ok(Copy::Current),
        200 if origin.condition().is_some() => Ok(match origin.is_same_version(&response) {
            true => Copy::Current,
            false => Copy::Outdated,
        }),
        200 if hasher.finish() == *content => Ok(Copy::Current),
        200 => Ok(Copy::Outdated),
        _ => Err(unexpected(url, &response)),
    }
}
