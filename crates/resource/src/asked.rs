//! The machine as `load` sees it: it also knows what of the resource is asked for.

use crate::host::Observe;

/// Passes everything on; what somebody wants of the resource is needed, too.
pub struct Asked<'a> {
    /// Whether somebody wants a property.
    pub wants: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether somebody only reads.
    pub only_reads: bool,
    /// The machine.
    pub host: &'a dyn Observe,
}

impl Observe for Asked<'_> {
    crate::delegate!(self => self.host; overlay files probes accounts clock facts units notes say holds_secret is_sensitive around provides manages);

    fn only_reads(&self) -> bool {
        self.only_reads
    }

    fn needs(&self, property: &str) -> bool {
        (self.wants)(property) || self.host.needs(property)
    }
}
