//! One field, understood.

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

/// Words that mean something in every block.
const META: [&str; 16] = [
    "action",
    "depends_on",
    "notifies",
    "subscribes",
    "only_if",
    "not_if",
    "when",
    "for_each",
    "retry",
    "poll",
    "limit",
    "lock",
    "audit",
    "ignore_failure",
    "on_removal",
    "auto_edges",
];

impl Field {
    /// Understands a field; none if it has no role.
    pub(crate) fn read(field: &syn::Field, mistakes: &mut Mistakes) -> Option<Self> {
        let ident = field.ident.clone()?;
        let name = ident.to_string().trim_start_matches("r#").to_owned();
        let mut attributes = Attributes::read(&field.attrs, mistakes);
        if META.contains(&name.as_str()) || name == "sensitive" {
            mistakes.add(&ident, format!("`{name}` means something in every block: choose another name"));
        }
        match infer(&field.ty, &mut attributes) {
            Ok((role, ty)) => Some(Self { ident, name, ty, role, attributes }),
            Err(sentence) => {
                mistakes.add(field, sentence);
                None
            }
        }
    }

    /// Whether it stands in the state that `load` fills.
    pub(crate) fn is_loaded(&self) -> bool {
        matches!(
            self.role,
            Role::State { .. } | Role::Export | Role::Flatten | Role::Identity { loaded: true, .. }
        )
    }

    /// Whether it is compared.
    pub(crate) fn is_compared(&self) -> bool {
        self.is_loaded() && !matches!(self.role, Role::Export)
    }

    /// A variable that cannot clash with another.
    pub(crate) fn local(&self) -> Ident {
        format_ident!("field_{}", self.name)
    }
}
