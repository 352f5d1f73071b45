//! Somebody who is told what a resource is interested in.

use std::sync::Arc;

use uphold_memory::MemoryHost;
use uphold_resource::{Instance, Interest, News, Token, Watcher};

/// The only one who listens.
const TOKEN: Token = 1;

/// Is told on behalf of one resource, from the moment it was made.
pub(crate) struct Listener {
    watcher: Arc<dyn Watcher>,
    /// What the resource is interested in.
    pub(crate) interests: Vec<Interest>,
}

impl Listener {
    /// Listens for what `instance` is interested in, with nothing in the queue.
    pub(crate) fn new(instance: &dyn Instance, host: &MemoryHost) -> Self {
        let watcher = host.machine().watchers.watcher().expect("a machine in memory can be watched");
        let interests = instance.interests(&host.act());
        watcher.arm(TOKEN, &interests).expect("a machine in memory has watches enough");
        Self { watcher, interests }
    }

    /// What was reported since it was last asked.
    pub(crate) fn reports(&self) -> Vec<Interest> {
        let mut reports = Vec::new();
        self.watcher.collect(&mut |news| match news {
            News::Changed { token: TOKEN, what } => reports.push(what),
            News::Changed { .. } | News::Blind { .. } | News::Lost => {}
        });
        reports
    }

    /// Whether anything was reported since it was last asked.
    pub(crate) fn is_woken(&self) -> bool {
        !self.reports().is_empty()
    }
}
