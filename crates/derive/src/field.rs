//! One parsed field.

use quote::format_ident;
use syn::{Ident, Type};

use crate::attribute::Attributes;
use crate::mistakes::Mistakes;
use crate::role::{Role, infer};

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

    /// A local variable that cannot clash with another.
    pub(crate) fn local(&self) -> Ident {
        format_ident!("field_{}", self.name)
    }
}
