//! Goal, change and differences.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use crate::attribute::{PartChange, PropertyChange};
use crate::container::Container;
use crate::field::Field;
use crate::role::{Goal, Part, Role};

pub(crate) fn functions(container: &Container) -> TokenStream {
    let Names { goal, change, .. } = names(container);
    let compared: Vec<&Field> = container.fields.iter().filter(|field| field.is_compared()).collect();
    let goals = compared.iter().map(|field| goal_of(field));
    let changes = compared.iter().map(|field| change_of(field));
    let empties = compared.iter().map(|field| empty(field));
    let differences = container.fields.iter().map(difference);
    let losses = compared.iter().map(|field| loss(field));
    quote! {
        fn goal(&self, current: ::core::option::Option<&Self::State>) -> Self::Goal {
            let _ = current;
            #goal { #(#goals)* }
        }
        fn change(&self, goal: &Self::Goal, current: &Self::State) -> Self::Change {
            let _ = (goal, current);
            #change { #(#changes)* }
        }
        fn is_empty(change: &Self::Change) -> bool {
            let _ = change;
            true #(&& #empties)*
        }
        fn differences(
            &self,
            goal: &Self::Goal,
            current: ::core::option::Option<&Self::State>,
            out: &mut ::std::vec::Vec<::uphold_resource::private::Difference>,
        ) {
            let _ = (goal, current, &out);
            #(#differences)*
        }
        fn losses(current: &Self::State, out: &mut ::std::vec::Vec<::uphold_resource::private::Difference>) {
            let _ = (current, &out);
            #(#losses)*
        }
    }
}

fn goal_of(field: &Field) -> TokenStream {
    let ident = &field.ident;
    let current = current(field);
    let goal = match &field.role {
        Role::State { goal: Goal::Keep | Goal::Nullable } if field.is_lazy() => quote! {
            ::uphold_resource::private::lazy(&self.#ident, current.map(|current| &current.#ident))
        },
        Role::State { goal: Goal::OnCreate(expr) } if field.is_lazy() => quote! {
            ::uphold_resource::private::lazy_on_create(&self.#ident, current.map(|current| &current.#ident), #expr)
        },
        Role::Flatten(part) => part_goal(ident, part, &current),
        Role::State { goal: Goal::Keep } => quote! { self.#ident.goal(#current) },
        Role::State { goal: Goal::Nullable } => {
            quote! { ::uphold_resource::private::nullable(&self.#ident, #current) }
        }
        Role::State { goal: Goal::Required } => {
            quote! { ::uphold_resource::private::required(&self.#ident, #current) }
        }
        Role::State { goal: Goal::OnCreate(expr) } => {
            quote! { ::uphold_resource::private::on_create(&self.#ident, #current, #expr) }
        }
        Role::State { goal: Goal::Enforce(expr) } => {
            quote! { ::uphold_resource::private::enforced(&self.#ident, #current, #expr) }
        }
        _ => quote! { ::core::clone::Clone::clone(&self.#ident) },
    };
    quote! { #ident: #goal, }
}

/// The goal of an embedded struct, with the defaults of the place of use.
fn part_goal(ident: &Ident, part: &Part, current: &TokenStream) -> TokenStream {
    let goal = quote! { ::uphold_resource::Properties::goal(&self.#ident, #current) };
    let defaults = part.changes().iter().filter_map(|PartChange { property, change }| match change {
        PropertyChange::OnCreate(expr) => Some(quote! {
            if current.is_none() {
                ::uphold_resource::private::complete(&mut goal.#property, &self.#ident.#property, #expr);
            }
        }),
        PropertyChange::Enforce(expr) => Some(quote! {
            goal.#property = ::core::option::Option::Some(::uphold_resource::private::enforced(
                &self.#ident.#property, current.map(|current| &current.#ident.#property), #expr,
            ));
        }),
        PropertyChange::Doc(_) => None,
    });
    let defaults: Vec<TokenStream> = defaults.collect();
    if defaults.is_empty() {
        return goal;
    }
    quote! { { let mut goal = #goal; #(#defaults)* goal } }
}

/// The goal of a field as an option.
fn goal_option(field: &Field) -> TokenStream {
    let ident = &field.ident;
    if field.has_optional_goal() {
        quote! { goal.#ident.as_ref() }
    } else {
        quote! { ::core::option::Option::Some(&goal.#ident) }
    }
}

/// The current value of a field as an option.
fn current(field: &Field) -> TokenStream {
    let ident = &field.ident;
    if field.is_lazy() {
        quote! { current.and_then(|current| current.#ident.get()) }
    } else {
        quote! { current.map(|current| &current.#ident) }
    }
}

fn change_of(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    let goal = goal_option(field);
    let change = match field.role {
        Role::Flatten(_) => {
            quote! { ::uphold_resource::Properties::change(&self.#ident, &goal.#ident, &current.#ident) }
        }
        _ if field.is_lazy() => quote! {
            current.#ident.get().and_then(|current| ::uphold_resource::private::delta::<#ty>(#goal, current))
        },
        _ => quote! { ::uphold_resource::private::delta::<#ty>(#goal, &current.#ident) },
    };
    quote! { #ident: #change, }
}

fn empty(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    match field.role {
        Role::Flatten(_) => quote! { <#ty as ::uphold_resource::Properties>::is_empty(&change.#ident) },
        _ => quote! { change.#ident.is_none() },
    }
}

fn difference(field: &Field) -> TokenStream {
    let (ident, ty, name) = (&field.ident, &field.ty, &field.name);
    let goal = goal_option(field);
    let differ = quote! { ::uphold_resource::private::differ::<#ty> };
    match &field.role {
        Role::Flatten(_) => quote! {
            ::uphold_resource::Properties::differences(
                &self.#ident, &goal.#ident, current.map(|current| &current.#ident), out,
            );
        },
        Role::Identity { loaded: false, .. } => quote! {
            if current.is_none() {
                #differ(#name, true, ::core::option::Option::Some(&self.#ident), ::core::option::Option::None, out);
            }
        },
        Role::Identity { loaded: true, .. } => quote! {
            #differ(#name, true, #goal, current.map(|current| &current.#ident), out);
        },
        Role::State { goal: kind } => {
            let set = quote! { self.#ident.get().is_some() };
            let goal = match kind {
                // A default of null is not worth a line.
                Goal::Nullable if !field.is_lazy() => quote! { #goal.filter(|goal| #set || goal.is_some()) },
                _ => goal,
            };
            let current = current(field);
            quote! { #differ(#name, #set, #goal, #current, out); }
        }
        _ => TokenStream::new(),
    }
}

fn loss(field: &Field) -> TokenStream {
    let (ident, ty, name) = (&field.ident, &field.ty, &field.name);
    match field.role {
        Role::Flatten(_) => quote! { <#ty as ::uphold_resource::Properties>::losses(&current.#ident, out); },
        _ if field.is_lazy() => quote! {
            if let ::core::option::Option::Some(current) = current.#ident.get() {
                ::uphold_resource::private::lose::<#ty>(#name, current, out);
            }
        },
        _ => quote! { ::uphold_resource::private::lose::<#ty>(#name, &current.#ident, out); },
    }
}

// The structs beside a resource: goal, state and change.

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
