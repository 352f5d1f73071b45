//! A watcher armed with the interests of one resource.

use std::sync::Arc;

use uphold_memory::MemoryHost;
use uphold_resource::{Instance, Interest, Token, WatchEvent, Watcher};

/// The token of the only resource.
const TOKEN: Token = 1;

/// Receives the reports for one resource, from its creation on.
pub(crate) struct Listener {
    watcher: Arc<dyn Watcher>,
    /// The interests of the resource.
    pub(crate) interests: Vec<Interest>,
}

impl Listener {
    /// Watches the interests of `instance`; the queue is empty.
    pub(crate) fn new(instance: &dyn Instance, host: &MemoryHost) -> Self {
        let watcher = host.machine().watchers.watcher().expect("a machine in memory can be watched");
        let interests = instance.interests(&host.act());
        watcher.arm(TOKEN, &interests).expect("a machine in memory has watches enough");
        Self { watcher, interests }
    }

    /// The reports since the last call.
    pub(crate) fn reports(&self) -> Vec<Interest> {
        let mut reports = Vec::new();
        self.watcher.collect(&mut |news| match news {
            WatchEvent::Changed { token: TOKEN, what } => reports.push(what),
            WatchEvent::Changed { .. } | WatchEvent::Blind { .. } | WatchEvent::Lost => {}
        });
        reports
    }

    /// Whether anything was reported since the last call.
    pub(crate) fn is_woken(&self) -> bool {
        !self.reports().is_empty()
    }
}
