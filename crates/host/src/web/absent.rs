//! A build without the network.

use uphold_resource::{Error, Request, Response, Result, Sink, Stop};

use super::gauge::Gauge;

/// Refuses every request.
#[derive(Default)]
pub(crate) struct Web {
    pub(crate) gauge: Gauge,
}

impl Web {
    #[expect(clippy::unused_self, reason = "the build with the network has the same signature")]
    pub(crate) fn exchange(&self, request: &Request, _: &mut Sink<'_>, _: &Stop) -> Result<Response> {
        let url = request.url.without_secrets();
        let error =
            Error::failed(format!("cannot request {url}: this program was built without the network"));
        Err(error.hint("use a build with the feature `network`"))
    }
}
