//! What a dashboard is given.

use std::sync::Arc;

use uphold::resource::{Machine, Stop};

use crate::view::View;

/// Everything that a dashboard shows and steers.
pub struct Setting {
    /// What there is to see: the board of the watch.
    pub view: Arc<dyn View>,
    /// Tells the time, and nothing else.
    pub host: Machine,
    /// What the machine is called.
    pub machine: String,
    /// What the configuration is called: its path, as it was given.
    pub configuration: String,
    /// Whether there may be colour: `NO_COLOR` and flags are the caller's affair.
    pub colour: bool,
    /// Ends the watch: kindly when it is asked for once, urgently the second time.
    pub stop: Stop,
    /// Reads the configuration again. It is called by the view's thread, and should not take long.
    pub reload: Box<dyn Fn() + Send>,
    /// Looks at everything now. It is called by the view's thread, and should not take long.
    pub recheck: Box<dyn Fn() + Send>,
}
