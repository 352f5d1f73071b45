//! Schemas of facts: values of a machine that are read as `host.…`.

use crate::schema::Type;

/// The schema of one fact. All of it is static data.
#[derive(Debug)]
pub struct FactSchema {
    /// Its name after `host.`, such as `os.family`.
    pub name: &'static str,
    /// Its type.
    pub ty: &'static Type,
    /// Its meaning, in one or two sentences.
    pub doc: &'static str,
    /// An example value in HCL.
    pub example: &'static str,
}
