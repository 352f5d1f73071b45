//! The structs beside a resource: goal, state and change.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use crate::container::Container;
use crate::field::Field;
use crate::role::{Part, Role};

/// The names of the three structs.
pub(crate) struct Names {
    pub(crate) goal: Ident,
    pub(crate) state: Ident,
    pub(crate) change: Ident,
}

pub(crate) fn names(container: &Container) -> Names {
    let ident = &container.ident;
    Names {
        goal: format_ident!("{ident}Goal"),
        state: format_ident!("{ident}State"),
        change: format_ident!("{ident}Change"),
    }
}

pub(crate) fn structs(container: &Container) -> TokenStream {
    let Names { goal, state, change } = names(container);
    let kind =
        container.options.kind.as_ref().map_or_else(|| container.ident.to_string(), syn::LitStr::value);
    let compared = || container.fields.iter().filter(|field| field.is_compared());
    let loaded = container.fields.iter().filter(|field| field.is_loaded());
    let goal =
        one(container, &goal, &format!("What a `{kind}` should be."), compared().map(|f| (f, goal_type(f))));
    let state = one(container, &state, &format!("What a `{kind}` is."), loaded.map(|f| (f, state_type(f))));
    let change = one(
        container,
        &change,
        &format!("What differs of a `{kind}`."),
        compared().map(|f| (f, change_type(f))),
    );
    quote! { #goal #state #change }
}

fn one<'a>(
    container: &Container,
    name: &Ident,
    doc: &str,
    fields: impl Iterator<Item = (&'a Field, TokenStream)>,
) -> TokenStream {
    let vis = &container.vis;
    let fields = fields.map(|(field, ty)| {
        let (ident, doc) = (&field.ident, &field.attributes.doc);
        quote! { #[doc = #doc] pub #ident: #ty, }
    });
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #vis struct #name { #(#fields)* }
    }
}

/// A struct of an embedded one, spanned at its type, so that the compiler points there if it has no properties.
fn part_type(ty: &Type, name: &str) -> TokenStream {
    let name = Ident::new(name, ty.span());
    quote_spanned! { ty.span() => <#ty as ::uphold_resource::Properties>::#name }
}

fn state_type(field: &Field) -> TokenStream {
    let ty = &field.ty;
    match field.role {
        Role::Flatten(_) => part_type(ty, "State"),
        _ if field.is_lazy() => quote! { ::uphold_resource::Lazy<#ty> },
        _ => quote! { #ty },
    }
}

fn goal_type(field: &Field) -> TokenStream {
    let ty = &field.ty;
    match &field.role {
        Role::Flatten(_) => part_type(ty, "Goal"),
        _ if field.has_optional_goal() => quote! { ::core::option::Option<#ty> },
        _ => quote! { #ty },
    }
}

fn change_type(field: &Field) -> TokenStream {
    let ty = &field.ty;
    match field.role {
        Role::Flatten(_) => part_type(ty, "Change"),
        _ => quote! { ::core::option::Option<::uphold_resource::Delta<#ty>> },
    }
}

/// Access to the part of an embedded kind in goal, state and change.
pub(crate) fn embeds(container: &Container) -> TokenStream {
    let ident = &container.ident;
    let kinds = container.fields.iter().filter(|field| matches!(field.role, Role::Flatten(Part::Kind)));
    let parts = kinds.map(|field| {
        let (part, ty) = (&field.ident, &field.ty);
        quote! {
            #[automatically_derived]
            impl ::uphold_resource::Embeds<#ty> for #ident {
                fn goal_part(goal: &Self::Goal) -> &<#ty as ::uphold_resource::Properties>::Goal { &goal.#part }
                fn state_part(state: &Self::State) -> &<#ty as ::uphold_resource::Properties>::State { &state.#part }
                fn change_part(change: &Self::Change) -> &<#ty as ::uphold_resource::Properties>::Change { &change.#part }
            }
        }
    });
    quote! { #(#parts)* }
}
