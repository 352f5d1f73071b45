//! Why something was looked at, in few bytes.

use std::sync::Arc;

use uphold_engine::{Cause, Wake};
use uphold_model::ResourceId;
use uphold_wire::status::Why;

use crate::excerpt::excerpt;

/// A [`Cause`] as a board keeps it: a cause itself has room for a whole command.
#[derive(Clone, Debug, Default)]
pub(crate) enum Reason {
    #[default]
    Written,
    Notified(ResourceId),
    /// What was reported to have changed.
    Reported(Arc<Report>),
    Received(ResourceId),
    Freed(ResourceId),
    Subscribed(ResourceId),
    Polled,
    Rechecked,
    ReportsLost,
    Retried,
    /// One that came after this was written.
    Other,
}

/// What an interest says. A text of its own would make every reason larger.
#[derive(Debug)]
pub(crate) struct Report(String);

impl Reason {
    /// The reason for a visit.
    pub(crate) fn of(cause: &Cause) -> Self {
        match cause {
            Cause::Written => Reason::Written,
            Cause::Notified { by, .. } => Reason::Notified(by.clone()),
            Cause::Woken(wake) => Self::woken(wake),
        }
    }

    fn woken(wake: &Wake) -> Self {
        match wake {
            Wake::Reported(what) => Reason::Reported(Arc::new(Report(excerpt(&what.to_string())))),
            Wake::Received(from) => Reason::Received(from.clone()),
            Wake::Freed(from) => Reason::Freed(from.clone()),
            Wake::Subscribed(to) => Reason::Subscribed(to.clone()),
            Wake::Polled => Reason::Polled,
            Wake::Rechecked => Reason::Rechecked,
            Wake::ReportsLost => Reason::ReportsLost,
            Wake::Retried => Reason::Retried,
            _ => Reason::Other,
        }
    }

    /// Its name, for machines.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Reason::Written => "written",
            Reason::Notified(_) => "notified",
            Reason::Reported(_) => "reported",
            Reason::Received(_) => "received",
            Reason::Freed(_) => "freed",
            Reason::Subscribed(_) => "subscribed",
            Reason::Polled => "polled",
            Reason::Rechecked => "rechecked",
            Reason::ReportsLost => "reports_lost",
            Reason::Retried => "retried",
            Reason::Other => "other",
        }
    }

    /// For a person, after "because".
    fn text(&self) -> String {
        match self {
            Reason::Written => "the configuration says so".to_owned(),
            Reason::Notified(by) | Reason::Subscribed(by) => format!("{by} changed"),
            Reason::Reported(what) => format!("{} changed", what.0),
            Reason::Received(from) => Wake::Received(from.clone()).to_string(),
            Reason::Freed(from) => Wake::Freed(from.clone()).to_string(),
            Reason::Polled => Wake::Polled.to_string(),
            Reason::Rechecked => Wake::Rechecked.to_string(),
            Reason::ReportsLost => Wake::ReportsLost.to_string(),
            Reason::Retried => Wake::Retried.to_string(),
            Reason::Other => "something may have changed".to_owned(),
        }
    }
}

impl From<&Reason> for Why {
    fn from(reason: &Reason) -> Self {
        Why { word: reason.word().into(), text: reason.text() }
    }
}

#[cfg(test)]
mod tests {
    use uphold_model::Moment;
    use uphold_resource::Interest;

    use super::*;

    #[test]
    fn a_reason_says_what_the_engine_says() {
        let id = ResourceId::new("file", "/x");
        let wakes = [
            Wake::Reported(Interest::Path("/etc/motd".into())),
            Wake::Received(id.clone()),
            Wake::Freed(id.clone()),
            Wake::Subscribed(id.clone()),
            Wake::Polled,
            Wake::Rechecked,
            Wake::ReportsLost,
            Wake::Retried,
        ];
        for wake in wakes {
            let why = Why::from(&Reason::of(&Cause::Woken(wake.clone())));
            assert_eq!((&*why.word, why.text), (wake.word(), wake.to_string()));
        }
        let notified = Cause::Notified { by: id, moment: Moment::Delayed };
        let why = Why::from(&Reason::of(&notified));
        assert_eq!((&*why.word, &*why.text), ("notified", r#"file["/x"] changed"#));
    }
}
