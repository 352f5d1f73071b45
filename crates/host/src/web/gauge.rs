//! How far transfers are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const MIB: f64 = 1024.0 * 1024.0;

/// Tells how far the transfers of a machine are that are under way, for whoever looks on. Clones are one gauge.
#[derive(Clone, Debug, Default)]
pub struct Gauge(Arc<Mutex<Board>>);

#[derive(Debug, Default)]
struct Board {
    begun: u64,
    transfers: BTreeMap<u64, Transfer>,
}

#[derive(Debug)]
struct Transfer {
    /// The host alone: the rest of an address may be a secret.
    host: String,
    done: u64,
    of: Option<u64>,
}

/// A transfer that is under way until this is dropped.
pub(super) struct Meter<'a> {
    gauge: &'a Gauge,
    number: u64,
}

impl Gauge {
    /// One line for each transfer that has begun, the oldest first: `example.org: 12.3 of 100.0 MiB`.
    pub fn readings(&self) -> Vec<String> {
        self.board().transfers.values().filter(|transfer| transfer.done > 0).map(Transfer::reading).collect()
    }

    /// Begins a transfer from this host, of so many bytes if that is known.
    #[cfg_attr(not(feature = "network"), expect(dead_code, reason = "only requests begin transfers"))]
    pub(super) fn begin(&self, host: &str, of: Option<u64>) -> Meter<'_> {
        let mut board = self.board();
        board.begun += 1;
        let number = board.begun;
        board.transfers.insert(number, Transfer { host: host.to_owned(), done: 0, of });
        Meter { gauge: self, number }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Meter<'_> {
    /// So many bytes more have come.
    #[cfg_attr(not(feature = "network"), expect(dead_code, reason = "only requests move bytes"))]
    pub(super) fn add(&self, bytes: usize) {
        if let Some(transfer) = self.gauge.board().transfers.get_mut(&self.number) {
            transfer.done += bytes as u64;
        }
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.gauge.board().transfers.remove(&self.number);
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
    fn what_is_under_way_is_told() {
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
