//! A failed visit as one error for programs.

use uphold_engine::Failure;
use uphold_model::ResourceId;
use uphold_resource::Error;

pub(crate) fn error(resource: &ResourceId, failure: &Failure) -> Error {
    let chain =
        std::iter::once(&failure.message).chain(&failure.causes).cloned().collect::<Vec<_>>().join(": ");
    let error = Error::new(failure.kind, chain).while_(resource.to_string());
    failure.hint.iter().cloned().fold(error, Error::hint)
}
