//! Code generation for kinds and structs of state.

mod capability;
mod compare;
mod decode;
mod schema;
mod value;
mod wishes;

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::container::Container;

pub(crate) use decode::fields as decode_fields;
pub(crate) use schema::{properties as property_schemas, rules as rule_list};

/// The whole output of `#[derive(Resource)]`.
pub(crate) fn resource(input: &DeriveInput) -> syn::Result<TokenStream> {
    let container = Container::kind(input)?;
    let (structs, properties) = (structs(&container), implementation(&container));
    let described = described(&container);
    let embeds = compare::embeds(&container);
    let verbs = capability::verb_enum(&container);
    Ok(quote! { #structs #properties #described #embeds #verbs })
}

/// The whole output of `#[derive(Properties)]`.
pub(crate) fn properties(input: &DeriveInput) -> syn::Result<TokenStream> {
    let container = Container::state(input)?;
    let (structs, properties) = (structs(&container), implementation(&container));
    Ok(quote! { #structs #properties })
}

fn structs(container: &Container) -> TokenStream {
    let (parts, wishes) = (compare::structs(container), wishes::structure(container));
    quote! { #parts #wishes }
}

fn implementation(container: &Container) -> TokenStream {
    let ident = &container.ident;
    let compare::Names { goal, state, change } = compare::names(container);
    let schema = schema::constant(container);
    let decode = decode::function(container);
    let compare = compare::functions(container);
    let (value, wanted) = (value::function(container), value::wanted_properties(container));
    let (wishes_name, wishes) = (wishes::name(container), wishes::functions(container));
    let load_needed = value::load_needed(container);
    let capabilities = capability::claims_and_interests(container);
    quote! {
        #[automatically_derived]
        impl ::uphold_resource::Properties for #ident {
            type Goal = #goal;
            type State = #state;
            type Change = #change;
            type Wishes = #wishes_name;
            #schema
            #decode
            #compare
            #value
            #wanted
            #wishes
            #load_needed
            #capabilities
        }
    }
}

fn described(container: &Container) -> TokenStream {
    let (ident, kind) = (&container.ident, &container.options.kind);
    let functions = capability::of_kind(container);
    let one_name = format!("`{ident}` must have exactly one property that takes the block's label");
    quote! {
        #[automatically_derived]
        impl ::uphold_resource::Described for #ident {
            const KIND: &'static str = #kind;
            #functions
        }
        const _: () = ::core::assert!(<#ident as ::uphold_resource::Properties>::SCHEMA.names() == 1, #one_name);
    }
}
