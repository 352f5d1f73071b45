//! Notifications of actions that are not in the action list.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use uphold_model::Moment;

use crate::ask::{Ask, Extra};

/// Delayed notifications of nested resources: each once, in the order of the first request.
#[derive(Default)]
pub(crate) struct Extras {
    order: VecDeque<Ask>,
    of: FxHashMap<Ask, Extra>,
}

impl Extras {
    /// Adds a notification. An unconditional one wins over one that waits for success.
    pub(crate) fn put(&mut self, extra: Extra) {
        match self.of.get_mut(&extra.ask) {
            Some(other) if extra.moment == Moment::Delayed => other.moment = Moment::Delayed,
            Some(_) => {}
            None => {
                self.order.push_back(extra.ask.clone());
                self.of.insert(extra.ask.clone(), extra);
            }
        }
    }

    /// Removes and returns the oldest notification.
    pub(crate) fn take(&mut self) -> Option<Extra> {
        self.of.remove(&self.order.pop_front()?)
    }
}
