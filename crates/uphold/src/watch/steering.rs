//! Steering a watch from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use uphold_engine::Control;
use uphold_resource::Watcher;

/// Steers a watch while it goes on, from any thread. Clones steer the same one.
#[derive(Clone)]
pub struct Steering {
    control: Control,
    wishes: Arc<Wishes>,
    watcher: Arc<dyn Watcher>,
}

#[derive(Default)]
struct Wishes {
    reload: AtomicBool,
    end: AtomicBool,
}

impl Steering {
    pub(super) fn new(watcher: Arc<dyn Watcher>) -> Self {
        Self { control: Control::default(), wishes: Arc::default(), watcher }
    }

    /// Reads the configuration again, whether something changed or not.
    pub fn reload(&self) {
        self.wishes.reload.store(true, Ordering::Release);
        self.watcher.nudge();
    }

    /// Looks at every resource now.
    pub fn recheck(&self) {
        self.control.recheck();
    }

    /// What the engine is steered by.
    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    /// The watcher of what the configuration is read from.
    pub(super) fn watcher(&self) -> &Arc<dyn Watcher> {
        &self.watcher
    }

    /// Whether somebody wishes a reload; told once.
    pub(super) fn take_reload(&self) -> bool {
        self.wishes.reload.swap(false, Ordering::AcqRel)
    }

    /// Nothing is read any more.
    pub(super) fn end(&self) {
        self.wishes.end.store(true, Ordering::Release);
        self.watcher.nudge();
    }

    pub(super) fn is_ended(&self) -> bool {
        self.wishes.end.load(Ordering::Acquire)
    }
}
