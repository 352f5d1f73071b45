//! The derive macros, in phases: parse the attributes, check the whole struct, expand.
//!
//! All mistakes of a struct are reported at once, each with a sentence that says what to write.

mod attribute;
mod check;
mod container;
mod expand;
mod field;
mod library;
mod mistakes;
mod property;
mod role;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

use crate::library::Library;

/// Defines a derive of `Resource` for authors who depend on `$library`.
macro_rules! derive_resource {
    ($(#[$doc:meta])* $name:ident, $function:ident, $library:expr) => {
        $(#[$doc])*
        #[proc_macro_derive(
            $name,
            attributes(
                resource,
                name,
                identity,
                flatten,
                required,
                default,
                on_create,
                enforce,
                example,
                one_of,
                range,
                pattern,
                check,
                relative_to,
                alias,
                also,
                replaced_by,
                load,
                claim,
                interest
            )
        )]
        pub fn $function(input: TokenStream) -> TokenStream {
            let input = parse_macro_input!(input as DeriveInput);
            $library.name_in(expand::resource(&input).unwrap_or_else(|error| error.to_compile_error())).into()
        }
    };
}

/// Defines a derive of `Properties` for authors who depend on `$library`.
macro_rules! derive_properties {
    ($(#[$doc:meta])* $name:ident, $function:ident, $library:expr) => {
        $(#[$doc])*
        #[proc_macro_derive(
            $name,
            attributes(
                flatten,
                required,
                on_create,
                enforce,
                one_of,
                range,
                pattern,
                check,
                relative_to,
                alias,
                also,
                replaced_by,
                load,
                claim,
                interest
            )
        )]
        pub fn $function(input: TokenStream) -> TokenStream {
            let input = parse_macro_input!(input as DeriveInput);
            $library.name_in(expand::properties(&input).unwrap_or_else(|error| error.to_compile_error())).into()
        }
    };
}

/// Defines a derive of `Property` for authors who depend on `$library`.
macro_rules! derive_property {
    ($(#[$doc:meta])* $name:ident, $function:ident, $library:expr) => {
        $(#[$doc])*
        #[proc_macro_derive(
            $name,
            attributes(
                required,
                default,
                example,
                one_of,
                range,
                pattern,
                check,
                relative_to,
                alias,
                also,
                replaced_by
            )
        )]
        pub fn $function(input: TokenStream) -> TokenStream {
            let input = parse_macro_input!(input as DeriveInput);
            $library.name_in(property::expand(&input).unwrap_or_else(|error| error.to_compile_error())).into()
        }
    };
}

derive_resource!(
    /// Makes a struct a kind of resource. See `docs/authoring.md`.
    ///
    /// On the struct: `#[resource(kind = "…")]`, with any of `verbs(name = "doc", …)`, `claims`, `interests`,
    /// `batch`, `permanent`, `also("…")`, `exclusive(a, b)`, `any_of(a, b)`, `together(a, b)`.
    ///
    /// On a field: `#[name]`, `#[identity]`, `#[flatten]`, `#[flatten(settings)]`, `#[flatten(state)]`, `#[required]`, `#[default(…)]`, `#[on_create(…)]`,
    /// `#[enforce(…)]`, `#[one_of(…)]`, `#[range(…)]`, `#[pattern(…)]`, `#[check(…)]`, `#[relative_to(…)]`,
    /// `#[alias(…)]`, `#[also(…)]`, `#[replaced_by(…)]`, `#[load(…)]`, `#[claim(none)]`, `#[claim(provides)]`, `#[interest(none)]`.
    Resource, resource, Library::Resource
);

derive_resource!(
    /// `Resource`, for a crate that depends on `uphold-kit` and not on `uphold-resource`.
    KitResource, kit_resource, Library::Kit
);

derive_properties!(
    /// Makes a struct of `Want<T>` and `Seen<T>` usable with `#[flatten(state)]`: state that several kinds share.
    ///
    /// On a field: the attributes of `#[derive(Resource)]` for state.
    Properties, properties, Library::Resource
);

derive_properties!(
    /// `Properties`, for a crate that depends on `uphold-kit` and not on `uphold-resource`.
    KitProperties, kit_properties, Library::Kit
);

derive_property!(
    /// Makes a type usable for a property: an enum of words, a nested struct, or a newtype with rules.
    Property, property, Library::Resource
);

derive_property!(
    /// `Property`, for a crate that depends on `uphold-kit` and not on `uphold-resource`.
    KitProperty, kit_property, Library::Kit
);
