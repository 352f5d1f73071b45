//! Reading what is there, without declaring anything.

use uphold_host::LocalHost;
use uphold_resource::{Error, ErrorKind, Resource, Result};

/// Every kind can be read: `File::read("/etc/hostname")?.mode`.
pub trait Read: Resource {
    /// What is there now, on this machine.
    ///
    /// # Errors
    /// If there is nothing of this name ([`ErrorKind::Missing`]), or it cannot be looked at.
    fn read(name: &str) -> Result<Self::State> {
        let mut resource = Self::named(name)?;
        let machine = LocalHost::new().machine();
        let host = machine.reading();
        resource.prepare(&host)?;
        resource.load(&host.only_reading())?.ok_or_else(|| {
            Error::new(ErrorKind::Missing, format!("there is no {} `{name}`", Self::SCHEMA.kind))
        })
    }
}

impl<R: Resource> Read for R {}
