//! Log lines of a run or a watch: names, numbers and times. Values, messages and paths may be secrets, and are left out.

use tracing::{debug, info, warn};

use crate::event::{EventKind, Verdict};

/// Logs an event. Costs a few comparisons while nothing is logged.
pub(super) fn trace(event: &EventKind) {
    match event {
        EventKind::RunStarted { mode, actions } => info!(?mode, actions, "run started"),
        EventKind::Started { resource, action, .. } => {
            debug!(%resource, action = action.word(), "visit started");
        }
        EventKind::Retrying { resource, tried, after, .. } => info!(%resource, tried, ?after, "retrying"),
        EventKind::Waiting { resource, after, .. } => debug!(%resource, ?after, "not ready"),
        EventKind::Merged { resources } => debug!(resources = resources.len(), "batch started"),
        EventKind::Finished { resource, verdict, took, .. } => match verdict {
            Verdict::Failed(_) => warn!(%resource, ?took, "failed"),
            Verdict::Changed(_) => info!(%resource, ?took, "changed"),
            _ => debug!(%resource, ?took, "visit finished"),
        },
        EventKind::RunFinished(summary) => {
            info!(changed = summary.changed, failed = summary.failed, "run finished");
        }
        EventKind::Watching { resources } => info!(resources, "watching"),
        EventKind::BackingOff { resource, failures, after } => {
            info!(%resource, failures, ?after, "backing off");
        }
        EventKind::Blind { resource, every, .. } => warn!(%resource, ?every, "not watched, polled"),
        EventKind::Sighted { resource } => info!(%resource, "watched again"),
        EventKind::ReportsLost => warn!("reports lost, everything is checked"),
        EventKind::Swapped { generation, kept, visited, left } => {
            info!(generation, kept, visited, left, "configuration swapped");
        }
        EventKind::Message { .. } | EventKind::Output { .. } | EventKind::OutputLeftOut { .. } => {}
    }
}
