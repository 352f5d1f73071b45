//! Access to values by name, for references and for `read`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use crate::attribute::{PartChange, PropertyChange};
use crate::container::Container;
use crate::field::Field;
use crate::role::{Goal, Role, Setting};

pub(crate) fn function(container: &Container) -> TokenStream {
    let own = |field: &&Field| !matches!(field.role, Role::Flatten(_) | Role::Settings);
    let arms = container.fields.iter().filter(own).map(arm);
    let settings = container.fields.iter().filter(|field| matches!(field.role, Role::Settings));
    let settings = settings.map(|field| &field.ident);
    let embedded = parts(container).map(|ident| {
        quote! {
            .or_else(|| ::uphold_resource::Properties::value(
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

/// Loads the properties with a function of their own, if they are needed.
pub(crate) fn load_needed(container: &Container) -> TokenStream {
    let lazy = container.fields.iter().filter_map(|field| {
        let (ident, name, ty, load) = (&field.ident, &field.name, &field.ty, field.attributes.load.as_ref()?);
        Some(quote! {
            if state.#ident.get().is_none() && look.needs(#name) {
                // The type is written, so that the compiler says which function is expected.
                let load: fn(&Self, &Self::State, &::uphold_resource::Look<'_>) -> ::uphold_resource::Result<#ty> = #load;
                state.#ident = ::core::convert::From::from(load(self, &*state, look)?);
            }
        })
    });
    let embedded: Vec<_> = parts(container).collect();
    quote! {
        fn load_needed(
            &self,
            state: &mut Self::State,
            look: &::uphold_resource::Look<'_>,
        ) -> ::uphold_resource::Result<()> {
            let _ = (&state, look);
            #(#lazy)*
            #(::uphold_resource::Properties::load_needed(&self.#embedded, &mut state.#embedded, look)?;)*
            ::core::result::Result::Ok(())
        }
    }
}

/// Which state properties are set, and the create defaults of a resource that holds a secret.
pub(crate) fn wanted_properties(container: &Container) -> TokenStream {
    let wanted = container.fields.iter().flat_map(wanted);
    let embedded: Vec<_> = parts(container).collect();
    let restrict = container.fields.iter().flat_map(create_defaults).map(|(place, default)| {
        quote! { ::uphold_resource::private::restrict(&mut self.#place, || #default); }
    });
    quote! {
        fn restrict(&mut self) {
            #(#restrict)*
            #(::uphold_resource::Properties::restrict(&mut self.#embedded);)*
        }
        fn wants(&self, property: &str) -> bool {
            match property {
                #(#wanted)*
                _ => false #(|| ::uphold_resource::Properties::wants(&self.#embedded, property))*,
            }
        }
    }
}

/// Arms that tell whether the state properties of a field are set.
fn wanted(field: &Field) -> Vec<TokenStream> {
    let (ident, name) = (&field.ident, &field.name);
    match &field.role {
        Role::State { goal: Goal::Enforce(_) } | Role::Identity { loaded: true, .. } => {
            vec![quote! { #name => true, }]
        }
        Role::State { .. } => vec![quote! { #name => self.#ident.is_set(), }],
        Role::Flatten(part) => {
            let enforced =
                part.changes().iter().filter(|part| matches!(part.change, PropertyChange::Enforce(_)));
            let names = enforced.map(|part| part.property.to_string());
            names.map(|name| quote! { #name => true, }).collect()
        }
        _ => Vec::new(),
    }
}

/// The create defaults of a field, each with its place in the struct.
fn create_defaults(field: &Field) -> Vec<(TokenStream, &Expr)> {
    let ident = &field.ident;
    match &field.role {
        Role::State { goal: Goal::OnCreate(default) } => vec![(quote! { #ident }, default)],
        Role::Flatten(part) => {
            let defaults = part.changes().iter().filter_map(|PartChange { property, change }| match change {
                PropertyChange::OnCreate(default) => Some((quote! { #ident.#property }, default)),
                _ => None,
            });
            defaults.collect()
        }
        _ => Vec::new(),
    }
}

fn parts(container: &Container) -> impl Iterator<Item = &syn::Ident> {
    let embedded = container.fields.iter().filter(|field| matches!(field.role, Role::Flatten(_)));
    embedded.map(|field| &field.ident)
}

fn arm(field: &Field) -> TokenStream {
    let (ident, name) = (&field.ident, &field.name);
    let to_value = quote! { ::uphold_resource::Property::to_value };
    let loaded = quote! { state.map(|state| #to_value(&state.#ident)) };
    let declared = match field.role {
        Role::Export => quote! { self.#ident.get().as_ref().map(#to_value) },
        _ => quote! { self.#ident.get().map(#to_value) },
    };
    let value = match &field.role {
        // An unread value of an existing resource is not known, even if a new one would get a declared value.
        Role::Export | Role::State { .. } if field.is_lazy() => quote! {
            match state {
                ::core::option::Option::Some(state) => state.#ident.get().map(#to_value),
                ::core::option::Option::None => #declared,
            }
        },
        // An export that `apply` reported is known even if nothing is loaded.
        Role::Export | Role::State { .. } => quote! { #loaded.or_else(|| #declared) },
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
