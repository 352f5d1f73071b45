//! Settings that several kinds have in common.

use uphold_model::{Schema, Value};

use crate::fields::Fields;
use crate::property::Property;

/// A struct of settings that can stand in a block as if they were the block's own: see
/// `#[flatten(settings)]`. `#[derive(Property)]` writes it for every struct with named fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no struct of settings",
    label = "not a struct of settings",
    note = "write `#[derive(Property)]` on a struct with named fields, or `#[flatten]` to embed a resource"
)]
pub trait Settings: Property {
    /// What the settings are.
    const SCHEMA: &'static Schema;

    /// Decodes; problems are collected in `fields`.
    fn decode(fields: &mut Fields<'_>) -> Option<Self>;

    /// The value of the setting of this name, null if it is left out; none if there is no such setting.
    fn value(&self, setting: &str) -> Option<Value> {
        let setting = Self::SCHEMA.property(setting)?;
        Some(self.to_value().at(&[setting.name]).unwrap_or(Value::Null))
    }
}
