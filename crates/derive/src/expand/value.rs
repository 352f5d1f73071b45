//! Values by name, for references and for reading.

use proc_macro2::TokenStream;
use quote::quote;

use crate::container::Container;
use crate::field::Field;
use crate::role::{Role, Setting};

pub(crate) fn function(container: &Container) -> TokenStream {
    let arms = container.fields.iter().filter(|field| !matches!(field.role, Role::Flatten)).map(arm);
    let embedded = container.fields.iter().filter(|field| matches!(field.role, Role::Flatten)).map(|field| {
        let ident = &field.ident;
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
            own #(#embedded)*
        }
    }
}

fn arm(field: &Field) -> TokenStream {
    let (ident, name) = (&field.ident, &field.name);
    let to_value = quote! { ::uphold_resource::Property::to_value };
    let loaded = quote! { state.map(|state| #to_value(&state.#ident)) };
    let value = match &field.role {
        // What `apply` told is known even if there is nothing to load.
        Role::Export => quote! { #loaded.or_else(|| self.#ident.told().as_ref().map(#to_value)) },
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
