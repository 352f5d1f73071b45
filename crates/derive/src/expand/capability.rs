//! Claims, interests, verbs and batches, from the types of fields and the options of the struct.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::attribute::ClaimRule;
use crate::container::Container;
use crate::field::Field;
use crate::role::{Part, Role, Setting};

/// Claims and interests.
pub(crate) fn claims_and_interests(container: &Container) -> TokenStream {
    let claims = container.fields.iter().map(claim);
    let watched = container.fields.iter().filter(|field| !field.attributes.unwatched);
    let interests = watched.map(|field| {
        let watch = quote!(::uphold_resource::Property::watch);
        each(field, &watch, &quote!(interests), &quote!(host, interests))
    });
    let own_claims = container.options.claims.then(|| {
        quote! { <Self as ::uphold_resource::Claiming>::add_claims(self, claims); }
    });
    let provides =
        container.fields.iter().any(|field| matches!(field.attributes.claim, Some(ClaimRule::Provides)));
    let drop_needs = provides.then(|| quote! { ::uphold_resource::private::drop_provided_needs(claims); });
    let own_interests = container.options.interests.then(|| {
        quote! { <Self as ::uphold_resource::Watching>::add_interests(self, host, interests); }
    });
    quote! {
        fn claims(&self, claims: &mut ::uphold_resource::Claims) { let _ = &claims; #(#claims)* #own_claims #drop_needs }
        fn interests(
            &self,
            host: &::uphold_resource::Reading<'_>,
            interests: &mut ::std::vec::Vec<::uphold_resource::Interest>,
        ) {
            let _ = (host, &interests);
            #(#interests)*
            #own_interests
        }
    }
}

/// The functions that only a kind has.
pub(crate) fn of_kind(container: &Container) -> TokenStream {
    let (owned_paths, verbs, batch) =
        (owned_paths(container), run_verb(container), apply_together(container));
    quote! { #owned_paths #verbs #batch }
}

/// Paths that only the machine can name, of kinds with claims and of embedded resources.
fn owned_paths(container: &Container) -> TokenStream {
    let embedded = container.fields.iter().filter(|field| matches!(field.role, Role::Flatten(Part::Kind)));
    let embedded = embedded.map(|field| {
        let ident = &field.ident;
        quote! { ::uphold_resource::Described::owned_paths(&self.#ident, found); }
    });
    let own = container.options.claims.then(|| {
        quote! { found.extend(<Self as ::uphold_resource::Claiming>::owned_paths(self)); }
    });
    let may_own = container.options.claims;
    quote! {
        const MAY_OWN: bool = #may_own;

        fn owned_paths(&self, found: &mut ::std::vec::Vec<::uphold_resource::OwnedPaths>) {
            let _ = &found;
            #(#embedded)*
            #own
        }
    }
}

fn claim(field: &Field) -> TokenStream {
    let add = match field.attributes.claim {
        Some(ClaimRule::None) => return TokenStream::new(),
        Some(ClaimRule::Provides) => quote!(::uphold_resource::private::provide),
        None => quote!(::uphold_resource::Property::claim),
    };
    each(field, &add, &quote!(claims), &quote!(claims))
}

/// Calls one field: `whole` for an embedded struct with state, else `property`.
fn each(field: &Field, property: &TokenStream, whole: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let ident = &field.ident;
    let role = |role: &TokenStream| quote! { ::uphold_resource::private::Role::#role };
    match &field.role {
        Role::Flatten(_) => quote! { ::uphold_resource::Properties::#whole(&self.#ident, #arguments); },
        Role::Export => TokenStream::new(),
        Role::State { .. } => {
            let role = role(&quote!(State));
            quote! { if let ::core::option::Option::Some(value) = self.#ident.get() { #property(value, #role, #arguments); } }
        }
        Role::Setting(Setting::Optional) => {
            let role = role(&quote!(Setting));
            quote! { if let ::core::option::Option::Some(value) = &self.#ident { #property(value, #role, #arguments); } }
        }
        other => {
            let role = role(&match other {
                Role::Name => quote!(Name),
                Role::Identity { .. } => quote!(Identity),
                _ => quote!(Setting),
            });
            quote! { #property(&self.#ident, #role, #arguments); }
        }
    }
}

fn run_verb(container: &Container) -> TokenStream {
    if container.options.verbs.is_empty() {
        return TokenStream::new();
    }
    let verbs = verb_ident(container);
    let arms = container.options.verbs.iter().map(|(verb, _)| {
        let (name, variant) = (verb.to_string(), variant(verb));
        quote! { #name => #verbs::#variant, }
    });
    let arms = quote! { #(#arms)* };
    quote! {
        fn run_verb(&self, verb: &str, host: &::uphold_resource::Act<'_>) -> ::uphold_resource::Result<()> {
            let verb = match verb {
                #arms
                other => return ::uphold_resource::private::no_verb::<Self>(other),
            };
            <Self as ::uphold_resource::Verbs>::run(self, verb, host)
        }

        fn is_verb_due(
            &self,
            verb: &str,
            host: &::uphold_resource::Reading<'_>,
        ) -> ::uphold_resource::Result<bool> {
            let verb = match verb {
                #arms
                _ => return ::core::result::Result::Ok(true),
            };
            <Self as ::uphold_resource::Verbs>::is_due(self, verb, host)
        }
    }
}

fn apply_together(container: &Container) -> TokenStream {
    if !container.options.batch {
        return TokenStream::new();
    }
    quote! {
        const BATCHES: bool = true;

        fn apply_together(
            items: &[(&Self, ::uphold_resource::Step<'_, Self>)],
            host: &::uphold_resource::Act<'_>,
        ) -> ::core::option::Option<::std::vec::Vec<::uphold_resource::Result<()>>> {
            ::core::option::Option::Some(<Self as ::uphold_resource::Batch>::apply_all(items, host))
        }
    }
}

/// The enum of a kind's verbs.
pub(crate) fn verb_enum(container: &Container) -> TokenStream {
    if container.options.verbs.is_empty() {
        return TokenStream::new();
    }
    let (vis, name) = (&container.vis, verb_ident(container));
    let doc = format!("The verbs of [`{}`].", container.ident);
    let variants = container.options.verbs.iter().map(|(verb, doc)| {
        let variant = variant(verb);
        quote! { #[doc = #doc] #variant, }
    });
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #vis enum #name { #(#variants)* }
    }
}

fn verb_ident(container: &Container) -> Ident {
    format_ident!("{}Verb", container.ident)
}

/// `try_restart` becomes `TryRestart`.
fn variant(verb: &Ident) -> Ident {
    let words = verb.to_string();
    let camel: String = words
        .split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_ascii_uppercase())
                .into_iter()
                .chain(letters)
                .collect::<Vec<_>>()
        })
        .collect();
    Ident::new(&camel, verb.span())
}
