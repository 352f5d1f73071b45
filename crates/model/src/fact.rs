//! Facts: what can be asked of a machine by name, as `host.…`.

use crate::schema::Type;

/// One fact. All of it is static data.
#[derive(Debug)]
pub struct FactSchema {
    /// Its name after `host.`, such as `os.family`.
    pub name: &'static str,
    /// What it is.
    pub ty: &'static Type,
    /// What it says, in one or two sentences.
    pub doc: &'static str,
    /// What it looks like, as it is written in HCL.
    pub example: &'static str,
}
