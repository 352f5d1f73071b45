//! The parameters of a dashboard.

use std::sync::Arc;

use uphold::resource::{Machine, Stop};

use crate::view::View;

/// The parameters of a dashboard.
pub struct DashboardOptions {
    /// The data to show: the board of the watch.
    pub view: Arc<dyn View>,
    /// The machine whose clock is used.
    pub host: Machine,
    /// The name of the machine.
    pub machine: String,
    /// The name of the configuration: its path as given on the command line.
    pub configuration: String,
    /// Whether colour is used; the caller checks `NO_COLOR` and flags.
    pub colour: bool,
    /// Ends the watch: gracefully at the first request, urgently at the second.
    pub stop: Stop,
    /// Reloads the configuration. Called in the view's thread, so it should return quickly.
    pub reload: Box<dyn Fn() + Send>,
    /// Checks everything now. Called in the view's thread, so it should return quickly.
    pub recheck: Box<dyn Fn() + Send>,
}
