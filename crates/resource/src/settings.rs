//! Settings that several kinds share.

use uphold_model::{Schema, Value};

use super::property::Property;
use crate::fields::Fields;

/// A struct of settings that can be flattened into a block: see `#[flatten(settings)]`. `#[derive(Property)]` implements
/// it for every struct with named fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no struct of settings",
    label = "not a struct of settings",
    note = "write `#[derive(Property)]` on a struct with named fields, or `#[flatten]` to embed a resource"
)]
pub trait Settings: Property {
    /// The schema of the settings.
    const SCHEMA: &'static Schema;

    /// Decodes the settings. Problems are collected in `fields`.
    fn decode(fields: &mut Fields<'_>) -> Option<Self>;

    /// The value of this setting, null if it is not set; `None` if it does not exist.
    fn value(&self, setting: &str) -> Option<Value> {
        let setting = Self::SCHEMA.property(setting)?;
        Some(self.to_value().at(&[setting.name]).unwrap_or(Value::Null))
    }
}
