//! Settings of a configuration as a whole.

use crate::on_removal::OnRemoval;
use crate::window::Window;

/// The `settings` block of a configuration; the defaults if it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What happens to resources that are no longer declared, unless they, their group or their module set it.
    /// Declarations contain it already: see [`Meta::on_removal`](crate::Meta::on_removal).
    pub on_removal: OnRemoval,
    /// The maintenance window; always open unless set.
    pub window: Option<Window>,
}
