//! The HTTP client.

use std::sync::{Arc, OnceLock};

use uphold_resource::{Error, Request, Response, Result, Sink, Stop};
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use super::gauge::Gauge;
use super::redirection::RedirectChain;
use super::{exchange, trust};

/// The `User-Agent` header.
const NAME: &str = concat!("uphold/", env!("CARGO_PKG_VERSION"));

/// All connections of a machine. Costs nothing until the first request.
#[derive(Default)]
pub(crate) struct Web {
    agent: OnceLock<Agent>,
    /// The certificates that the machine trusts, read when they are first needed.
    roots: OnceLock<RootCerts>,
    /// The progress of transfers.
    pub(crate) gauge: Gauge,
}

impl Web {
    /// Sends a request, follows redirections, and passes the response to `sink`.
    ///
    /// # Guarantees
    /// No redirection leads from `https` to `http`. Headers that may be secret are sent to no other host. Ends soon after `stop`
    /// is requested.
    pub(crate) fn exchange(&self, request: &Request, sink: &mut Sink<'_>, stop: &Stop) -> Result<Response> {
        let mut chain = RedirectChain::begin(request.clone());
        loop {
            if stop.is_requested() {
                return Err(stopped(&chain.request));
            }
            let tls = self.tls(&chain.request)?;
            let answer = exchange::send(self.agent(stop), &chain.request, tls);
            let mut answer =
                answer.map_err(|error| if stop.is_requested() { stopped(request) } else { error })?;
            let Some(next) = chain.next(&exchange::head(&answer))? else {
                let received = exchange::receive(&mut answer, &chain.request, &self.gauge, sink);
                // A connection that was shut down can look like one that ended.
                return if stop.is_requested() { Err(stopped(request)) } else { received };
            };
            chain = next;
        }
    }

    /// One agent for all requests, so that connections are reused, and one call shuts all of them down.
    fn agent(&self, stop: &Stop) -> &Agent {
        self.agent.get_or_init(|| {
            let config = Agent::config_builder()
                .http_status_as_error(false)
                .max_redirects(0)
                .user_agent(NAME)
                .allow_non_standard_methods(true);
            let agent = Agent::new_with_config(config.build());
            let shutdown = agent.clone();
            stop.wake(move || shutdown.clone().shutdown());
            agent
        })
    }

    /// `None` for a URL without TLS.
    fn tls(&self, request: &Request) -> Result<Option<TlsConfig>> {
        if request.url.scheme() != "https" {
            return Ok(None);
        }
        let roots = match &request.trust {
            Some(pem) => trust::read(pem)?,
            None => self.roots()?,
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = TlsConfig::builder().root_certs(roots).unversioned_rustls_crypto_provider(provider);
        Ok(Some(config.build()))
    }

    fn roots(&self) -> Result<RootCerts> {
        if let Some(roots) = self.roots.get() {
            return Ok(roots.clone());
        }
        let roots = trust::of_machine()?;
        Ok(self.roots.get_or_init(|| roots).clone())
    }
}

fn stopped(request: &Request) -> Error {
    Error::failed(format!("the run was stopped during the request to {}", request.url.without_secrets()))
}
