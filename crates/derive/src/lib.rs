//! The derive macros, in phases: parse the attributes, check the whole struct, expand.
//!
//! All mistakes of a struct are reported at once, each with a sentence that says what to write.

mod attribute;
mod check;
mod container;
mod expand;
mod field;
mod mistakes;
mod property;
mod role;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct a kind of resource. See `docs/authoring.md`.
///
/// On the struct: `#[resource(kind = "…")]`, with any of `verbs(name = "doc", …)`, `claims`, `interests`,
/// `batch`, `permanent`, `also("…")`, `exclusive(a, b)`, `any_of(a, b)`, `together(a, b)`.
///
/// On a field: `#[name]`, `#[identity]`, `#[flatten]`, `#[flatten(settings)]`, `#[flatten(state)]`, `#[required]`, `#[default(…)]`, `#[on_create(…)]`,
/// `#[enforce(…)]`, `#[one_of(…)]`, `#[range(…)]`, `#[pattern(…)]`, `#[check(…)]`, `#[relative_to(…)]`,
/// `#[alias(…)]`, `#[also(…)]`, `#[replaced_by(…)]`, `#[claim(none)]`, `#[claim(provides)]`, `#[interest(none)]`.
#[proc_macro_derive(
    Resource,
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
        claim,
        interest
    )
)]
pub fn resource(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::resource(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes a struct of `Want<T>` and `Seen<T>` usable with `#[flatten(state)]`: state that several kinds share.
///
/// On a field: the attributes of `#[derive(Resource)]` for state.
#[proc_macro_derive(
    Properties,
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
        claim,
        interest
    )
)]
pub fn properties(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::properties(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes a type usable for a property: an enum of words, a nested struct, or a newtype with rules.
#[proc_macro_derive(
    Property,
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
pub fn property(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    property::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
