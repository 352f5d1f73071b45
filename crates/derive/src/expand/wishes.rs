//! The wishes of one visit, and the copy of a resource that has them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use crate::container::Container;
use crate::field::Field;
use crate::role::Role;

pub(crate) fn name(container: &Container) -> Ident {
    format_ident!("{}Wishes", container.ident)
}

/// The struct of wishes: one for each state property, and those of each embedded struct.
pub(crate) fn structure(container: &Container) -> TokenStream {
    let (vis, name) = (&container.vis, name(container));
    let doc =
        format!("How the wishes of one visit differ from the declaration of a [`{}`].", container.ident);
    let fields = wished(container).map(|field| {
        let (ident, ty, doc) = (&field.ident, &field.ty, &field.attributes.doc);
        let ty = match field.role {
            Role::Flatten(_) => {
                quote_spanned! { ty.span() => <#ty as ::uphold_resource::Properties>::Wishes }
            }
            _ => quote! { ::uphold_resource::Wish<#ty> },
        };
        quote! { #[doc = #doc] pub #ident: #ty, }
    });
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::default::Default, ::core::cmp::PartialEq)]
        #vis struct #name { #(#fields)* }
    }
}

pub(crate) fn functions(container: &Container) -> TokenStream {
    let declared = wished(container).map(|field| {
        let (ident, ty) = (&field.ident, &field.ty);
        match field.role {
            Role::Flatten(_) => {
                quote! { <#ty as ::uphold_resource::Properties>::is_declared(&wishes.#ident) }
            }
            _ => quote! { wishes.#ident.is_declared() },
        }
    });
    let produces = container.fields.iter().filter_map(|field| {
        let ident = &field.ident;
        match field.role {
            Role::Export => Some(quote! { self.#ident.is_produced() }),
            Role::Flatten(_) => Some(quote! { ::uphold_resource::Properties::produces(&self.#ident) }),
            _ => None,
        }
    });
    let copies = container.fields.iter().map(copy);
    quote! {
        fn is_declared(wishes: &Self::Wishes) -> bool {
            let _ = wishes;
            true #(&& #declared)*
        }
        fn produces(&self) -> bool {
            false #(|| #produces)*
        }
        fn complete(&self, wishes: Self::Wishes) -> Self {
            let _ = &wishes;
            Self { #(#copies)* }
        }
    }
}

fn wished(container: &Container) -> impl Iterator<Item = &Field> {
    container.fields.iter().filter(|field| matches!(field.role, Role::State { .. } | Role::Flatten(_)))
}

fn copy(field: &Field) -> TokenStream {
    let ident = &field.ident;
    let copy = match field.role {
        Role::State { .. } => quote! { wishes.#ident.on(&self.#ident) },
        Role::Flatten(_) => {
            quote! { ::uphold_resource::Properties::complete(&self.#ident, wishes.#ident) }
        }
        Role::Export => quote! { ::core::default::Default::default() },
        _ => quote! { ::core::clone::Clone::clone(&self.#ident) },
    };
    quote! { #ident: #copy, }
}
