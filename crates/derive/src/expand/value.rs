//! Access to values by name, for references and for `read`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::container::Container;
use crate::field::Field;
use crate::role::{Goal, Role, Setting};

pub(crate) fn function(container: &Container) -> TokenStream {
    let own = |field: &&Field| !matches!(field.role, Role::Flatten | Role::Settings);
    let arms = container.fields.iter().filter(own).map(arm);
    let settings = container.fields.iter().filter(|field| matches!(field.role, Role::Settings));
    let settings = settings.map(|field| &field.ident);
    let embedded = parts(container).map(|ident| {
        quote! {
            .or_else(|| ::uphold_resource::Described::value(
                &self.#ident, property, state.map(|state| &state.#ident),
            ))
        }
    });
    quote! {
        fn value(
            &self,
            property: &str,
            state: ::core::option::Option<&Self::State>,
        ) -> ::core::option::Option<::uphold_resource::Value> {
            let _ = state;
            let own = match property {
                #(#arms)*
                _ => ::core::option::Option::None,
            };
            own #(#embedded)* #(.or_else(|| ::uphold_resource::Settings::value(&self.#settings, property)))*
        }
    }
}

/// Which state properties are set, and how reported exports are reset.
pub(crate) fn wishes(container: &Container) -> TokenStream {
    let wanted = container.fields.iter().filter_map(|field| {
        let (ident, name) = (&field.ident, &field.name);
        match &field.role {
            Role::State { goal: Goal::Enforce(_) } | Role::Identity { loaded: true, .. } => {
                Some(quote! { #name => true, })
            }
            Role::State { .. } => Some(quote! { #name => self.#ident.is_set(), }),
            _ => None,
        }
    });
    let embedded: Vec<_> = parts(container).collect();
    let exports = container.fields.iter().filter(|field| matches!(field.role, Role::Export));
    let exports = exports.map(|field| &field.ident);
    let defaults = container.fields.iter().filter_map(|field| match &field.role {
        Role::State { goal: Goal::OnCreate(default) } => Some((&field.ident, default)),
        _ => None,
    });
    let restrict = defaults.map(|(ident, default)| {
        quote! { ::uphold_resource::private::restrict(&mut self.#ident, || #default); }
    });
    quote! {
        fn restrict(&mut self) {
            #(#restrict)*
            #(::uphold_resource::Described::restrict(&mut self.#embedded);)*
        }
        fn wants(&self, property: &str) -> bool {
            match property {
                #(#wanted)*
                _ => false #(|| ::uphold_resource::Described::wants(&self.#embedded, property))*,
            }
        }
        fn forget(&self) {
            #(self.#exports.forget();)*
            #(::uphold_resource::Described::forget(&self.#embedded);)*
        }
    }
}

fn parts(container: &Container) -> impl Iterator<Item = &syn::Ident> {
    let embedded = container.fields.iter().filter(|field| matches!(field.role, Role::Flatten));
    embedded.map(|field| &field.ident)
}

fn arm(field: &Field) -> TokenStream {
    let (ident, name) = (&field.ident, &field.name);
    let to_value = quote! { ::uphold_resource::Property::to_value };
    let loaded = quote! { state.map(|state| #to_value(&state.#ident)) };
    let value = match &field.role {
        // An export that `apply` reported is known even if nothing is loaded.
        Role::Export => quote! { #loaded.or_else(|| self.#ident.get().as_ref().map(#to_value)) },
        Role::State { .. } => quote! { #loaded.or_else(|| self.#ident.get().map(#to_value)) },
        Role::Identity { loaded: true, .. } => {
            quote! { #loaded.or_else(|| ::core::option::Option::Some(#to_value(&self.#ident))) }
        }
        Role::Setting(Setting::Optional) => quote! {
            ::core::option::Option::Some(
                self.#ident.as_ref().map_or(::uphold_resource::Value::Null, #to_value)
            )
        },
        _ => quote! { ::core::option::Option::Some(#to_value(&self.#ident)) },
    };
    quote! { #name => #value, }
}
