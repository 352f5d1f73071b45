//! Where metrics are served.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

/// An address and a port: `9464` is that port for this machine alone; `10.0.0.5:9464`, `[::]:9464` and
/// `localhost:9464` say who else may connect. Only numbers and `localhost` are taken, so that what is open to the
/// network does not depend on a name server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricsAddress(SocketAddr);

impl MetricsAddress {
    /// The address to listen at.
    pub fn socket(self) -> SocketAddr {
        self.0
    }
}

impl fmt::Display for MetricsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for MetricsAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let here = IpAddr::from(Ipv4Addr::LOCALHOST);
        let port = text.strip_prefix("localhost:").unwrap_or(text);
        // `u16` would take a sign, too.
        if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) {
            let port = port.parse().map_err(|_| format!("{port} is no port: the last one is 65535"))?;
            return Ok(Self(SocketAddr::new(here, port)));
        }
        let wrong = "write a port, or an address and a port: 9464, 127.0.0.1:9464, [::1]:9464";
        text.parse().map(Self).map_err(|_| wrong.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_port_is_for_this_machine_alone() {
        let check = |text: &str, expected: Option<&str>| {
            let address = text.parse::<MetricsAddress>().ok().map(|address| address.to_string());
            assert_eq!(address.as_deref(), expected, "{text}");
        };
        check("9464", Some("127.0.0.1:9464"));
        check("localhost:9464", Some("127.0.0.1:9464"));
        check("0.0.0.0:9464", Some("0.0.0.0:9464"));
        check("[::1]:80", Some("[::1]:80"));
        for wrong in ["", "x", "+80", "65536", ":80", "localhost:", "example.org:80", "1.2.3.4", "::1:80 "] {
            check(wrong, None);
        }
    }
}
