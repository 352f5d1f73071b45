//! Who speaks to servers.

use std::sync::{Arc, OnceLock};

use uphold_resource::{Error, Request, Response, Result, Sink, Stop};
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use super::gauge::Gauge;
use super::redirection::Journey;
use super::{exchange, trust};

/// How we introduce ourselves.
const NAME: &str = concat!("uphold/", env!("CARGO_PKG_VERSION"));

/// All connections of a machine. Costs nothing until something is asked for.
#[derive(Default)]
pub(crate) struct Web {
    agent: OnceLock<Agent>,
    /// What the machine trusts; read when it is first needed.
    roots: OnceLock<RootCerts>,
    /// Who looks on.
    pub(crate) gauge: Gauge,
}

impl Web {
    /// Asks, follows where it is led, and hands the answer to `sink`.
    ///
    /// # Guarantees
    /// Nothing leads from a safe connection to another. What may be a secret is sent to no other host.
    /// Ends soon after `stop` is requested.
    pub(crate) fn exchange(&self, request: &Request, sink: &mut Sink<'_>, stop: &Stop) -> Result<Response> {
        let mut journey = Journey::begin(request.clone());
        loop {
            if stop.is_requested() {
                return Err(stopped(&journey.request));
            }
            let tls = self.tls(&journey.request)?;
            let answer = exchange::ask(self.agent(stop), &journey.request, tls);
            let mut answer =
                answer.map_err(|error| if stop.is_requested() { stopped(request) } else { error })?;
            let Some(next) = journey.lead(&exchange::head(&answer))? else {
                let heard = exchange::hear(&mut answer, &journey.request, &self.gauge, sink);
                // A connection that we closed can look like one that came to its end.
                return if stop.is_requested() { Err(stopped(request)) } else { heard };
            };
            journey = next;
        }
    }

    /// One for all, so that connections are used again, and so that one call ends them all.
    fn agent(&self, stop: &Stop) -> &Agent {
        self.agent.get_or_init(|| {
            let config = Agent::config_builder()
                .http_status_as_error(false)
                .max_redirects(0)
                .user_agent(NAME)
                .allow_non_standard_methods(true);
            let agent = Agent::new_with_config(config.build());
            let bell = agent.clone();
            stop.wake(move || bell.clone().shutdown());
            agent
        })
    }

    /// None for a connection that is not to be safe.
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
    Error::failed(format!("the run was stopped while {} was asked", request.url.without_secrets()))
}
