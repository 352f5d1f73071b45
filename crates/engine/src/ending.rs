//! How a run ends: with its outputs, and what it came to.

use crate::dispatcher::Dispatcher;
use crate::event::EventKind;
use crate::outputs::Told;
use crate::summary::Summary;

impl Dispatcher<'_> {
    /// Whether everything was visited, and well.
    pub(crate) fn is_success(&self) -> bool {
        self.summary.is_success()
    }

    /// The run is over: it came to these outputs.
    pub(crate) fn end(mut self, outputs: impl Iterator<Item = Told>) -> Summary {
        self.tell(outputs);
        self.summary
    }

    /// Everything was visited: it came to these outputs.
    pub(crate) fn tell(&mut self, outputs: impl Iterator<Item = Told>) {
        outputs.for_each(|told| self.tell_output(told));
        self.say(EventKind::RunFinished(self.summary));
    }

    pub(crate) fn tell_output(&mut self, told: Told) {
        let Told { name, value } = told;
        self.summary.failed += usize::from(value.is_err());
        self.say(EventKind::Output { name, value: value.map_err(Box::new) });
    }
}
