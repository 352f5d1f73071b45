//! The machine while resources name the paths that belong to them.

use uphold_resource::{Around, Host, Observe};

/// The machine without the visit that wants to know the paths: finding them must not ask for them.
pub(crate) struct OwnerView<'a> {
    pub(crate) host: &'a dyn Host,
    /// The run, for kinds that declare resources of their own.
    pub(crate) around: &'a dyn Around,
}

impl Observe for OwnerView<'_> {
    uphold_resource::delegate!(self => self.host; overlay files probes accounts clock facts units notes);

    fn around(&self) -> Option<&dyn Around> {
        Some(self.around)
    }
}
