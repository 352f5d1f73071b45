//! One parsed field.

use quote::format_ident;
use syn::{Ident, Type};

use crate::attribute::Attributes;
use crate::mistakes::Mistakes;
use crate::role::{Goal, Role, infer};

/// A field with its role.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// The name in a block: the identifier without `r#`.
    pub(crate) name: String,
    /// The type without its wrapper.
    pub(crate) ty: Type,
    pub(crate) role: Role,
    pub(crate) attributes: Attributes,
}

impl Field {
    /// Parses a field; none if it has no role.
    pub(crate) fn read(field: &syn::Field, mistakes: &mut Mistakes) -> Option<Self> {
        let ident = field.ident.clone()?;
        let name = ident.to_string().trim_start_matches("r#").to_owned();
        let mut attributes = Attributes::read(&field.attrs, mistakes);
        match infer(&field.ty, &mut attributes) {
            Ok((role, ty)) => Some(Self { ident, name, ty, role, attributes }),
            Err(sentence) => {
                mistakes.add(field, sentence);
                None
            }
        }
    }

    /// Whether it is part of the state that `load` returns.
    pub(crate) fn is_loaded(&self) -> bool {
        matches!(
            self.role,
            Role::State { .. } | Role::Export | Role::Flatten(_) | Role::Identity { loaded: true, .. }
        )
    }

    /// Whether it is compared.
    pub(crate) fn is_compared(&self) -> bool {
        self.is_loaded() && !matches!(self.role, Role::Export)
    }

    /// Whether it is loaded only if it is needed.
    pub(crate) fn is_lazy(&self) -> bool {
        self.attributes.load.is_some()
    }

    /// Whether its goal is an option: none if the kind decides about it.
    pub(crate) fn has_optional_goal(&self) -> bool {
        match &self.role {
            Role::State { goal: Goal::Keep } => true,
            // The current value is not known unless the user set the property.
            Role::State { goal: Goal::Nullable | Goal::OnCreate(_) } => self.is_lazy(),
            _ => false,
        }
    }

    /// A local variable that cannot clash with another.
    pub(crate) fn local(&self) -> Ident {
        format_ident!("field_{}", self.name)
    }
}
