//! The progress of transfers.

use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard};

use uphold_resource::Mutex;

const MIB: f64 = 1024.0 * 1024.0;

/// The progress of a machine's transfers, for display. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Gauge(Arc<Mutex<Transfers>>);

#[derive(Debug, Default)]
struct Transfers {
    begun: u64,
    transfers: BTreeMap<u64, Transfer>,
}

#[derive(Debug)]
struct Transfer {
    /// Only the host, because the rest of a URL may be a secret.
    host: String,
    done: u64,
    of: Option<u64>,
}

/// A transfer that is in progress until this is dropped.
pub(super) struct Meter<'a> {
    gauge: &'a Gauge,
    number: u64,
}

impl Gauge {
    /// One line for each transfer in progress, the oldest first: `example.org: 12.3 of 100.0 MiB`.
    pub fn readings(&self) -> Vec<String> {
        self.transfers()
            .transfers
            .values()
            .filter(|transfer| transfer.done > 0)
            .map(Transfer::reading)
            .collect()
    }

    /// Starts a transfer from this host, with its size if that is known.
    #[cfg_attr(not(feature = "network"), expect(dead_code, reason = "only requests start transfers"))]
    pub(super) fn begin(&self, host: &str, of: Option<u64>) -> Meter<'_> {
        let mut transfers = self.transfers();
        transfers.begun += 1;
        let number = transfers.begun;
        transfers.transfers.insert(number, Transfer { host: host.to_owned(), done: 0, of });
        Meter { gauge: self, number }
    }

    fn transfers(&self) -> MutexGuard<'_, Transfers> {
        self.0.lock()
    }
}

impl Meter<'_> {
    /// Counts received bytes.
    #[cfg_attr(not(feature = "network"), expect(dead_code, reason = "only requests move bytes"))]
    pub(super) fn add(&self, bytes: usize) {
        if let Some(transfer) = self.gauge.transfers().transfers.get_mut(&self.number) {
            transfer.done += bytes as u64;
        }
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.gauge.transfers().transfers.remove(&self.number);
    }
}

impl Transfer {
    fn reading(&self) -> String {
        let done = self.done as f64 / MIB;
        match self.of {
            Some(of) => format!("{}: {done:.1} of {:.1} MiB", self.host, of as f64 / MIB),
            None => format!("{}: {done:.1} MiB", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_transfers_in_progress() {
        let gauge = Gauge::default();
        let (one, other) = (gauge.begin("a.org", Some(10 << 20)), gauge.begin("b.org", None));
        assert_eq!(gauge.readings(), [""; 0]);
        one.add(5 << 20);
        other.add(1 << 19);
        assert_eq!(gauge.readings(), ["a.org: 5.0 of 10.0 MiB", "b.org: 0.5 MiB"]);
        drop(one);
        assert_eq!(gauge.clone().readings(), ["b.org: 0.5 MiB"]);
    }
}
