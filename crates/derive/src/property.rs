//! `#[derive(Property)]`: enums of words, nested structs and newtypes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DataEnum, DeriveInput, Fields, FieldsUnnamed, Ident, Lit, Variant};

use crate::attribute::{Attributes, doc, refuse_examples};
use crate::expand::{decode_fields, property_schemas};
use crate::field::Field;
use crate::mistakes::Mistakes;
use crate::role::{Role, Setting};

/// The whole output of `#[derive(Property)]`.
pub(crate) fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut mistakes = Mistakes::default();
    if !input.generics.params.is_empty() {
        mistakes.add(&input.generics, "a property type that is derived has no generic parameters");
    }
    let expanded = match &input.data {
        Data::Enum(data) => words(input, data, &mut mistakes),
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => nested(input, named, &mut mistakes),
            Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => newtype(input, unnamed, &mut mistakes),
            _ => {
                mistakes.add(
                    &input.ident,
                    "a property type is an enum, a struct with named fields, or a newtype",
                );
                TokenStream::new()
            }
        },
        Data::Union(_) => {
            mistakes
                .add(&input.ident, "a property type is an enum, a struct with named fields, or a newtype");
            TokenStream::new()
        }
    };
    mistakes.finish().map(|()| expanded)
}

/// An enum: one of several words, in lower case with dashes.
fn words(input: &DeriveInput, data: &DataEnum, mistakes: &mut Mistakes) -> TokenStream {
    refuse_examples(&input.attrs, mistakes);
    for variant in data.variants.iter().filter(|variant| !matches!(variant.fields, Fields::Unit)) {
        mistakes.add(variant, "a variant has no fields: use a nested struct instead");
    }
    let ident = &input.ident;
    let words: Vec<String> = data.variants.iter().map(word).collect();
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    quote! {
        #[automatically_derived]
        impl ::uphold_resource::Property for #ident {
            const TYPE: &'static ::uphold_resource::Type = &::uphold_resource::Type::Enum(&[#(#words),*]);
            fn from_value(
                value: &::uphold_resource::Value,
                _: &::uphold_resource::Context<'_>,
            ) -> ::core::result::Result<Self, ::uphold_resource::Problem> {
                match ::uphold_resource::private::word(value, &[#(#words),*])? {
                    #(#words => ::core::result::Result::Ok(#ident::#variants),)*
                    _ => ::core::unreachable!(),
                }
            }
            fn to_value(&self) -> ::uphold_resource::Value {
                ::uphold_resource::Value::text(match self { #(#ident::#variants => #words,)* })
            }
        }
    }
}

/// `OnFailure` is written `"on-failure"`.
fn word(variant: &Variant) -> String {
    let mut word = String::new();
    for (i, letter) in variant.ident.to_string().chars().enumerate() {
        if letter.is_uppercase() && i > 0 {
            word.push('-');
        }
        word.extend(letter.to_lowercase());
    }
    word
}

/// A nested struct, written as a block.
fn nested(input: &DeriveInput, named: &syn::FieldsNamed, mistakes: &mut Mistakes) -> TokenStream {
    refuse_examples(&input.attrs, mistakes);
    let fields: Vec<Field> = named.named.iter().filter_map(|field| Field::read(field, mistakes)).collect();
    for field in fields.iter().filter(|field| !matches!(field.role, Role::Setting(_))) {
        mistakes.add(
            &field.ident,
            "a field of a nested struct has no role: use `#[required]`, `#[default(…)]` or `Option<T>`",
        );
    }
    let (ident, doc) = (&input.ident, doc(&input.attrs));
    let name = ident.to_string();
    let schemas = property_schemas(&fields);
    let decode = decode_fields(&fields, &quote! { SCHEMA.properties });
    let entries = fields.iter().map(entry);
    let claims = fields.iter().map(|field| each(field, &quote!(claim), &quote!(claims)));
    let interests = fields.iter().map(|field| each(field, &quote!(watch), &quote!(host, interests)));
    quote! {
        const _: () = {
            const SCHEMA: &::uphold_resource::private::Schema = &::uphold_resource::private::Schema {
                kind: #name, doc: #doc, properties: #schemas, groups: &[], verbs: &[], removable: false, also: &[],
            };
            #[automatically_derived]
            impl ::uphold_resource::Settings for #ident {
                const SCHEMA: &'static ::uphold_resource::private::Schema = SCHEMA;
                fn decode(fields: &mut ::uphold_resource::Fields<'_>) -> ::core::option::Option<Self> { #decode }
            }
            #[automatically_derived]
            impl ::uphold_resource::Property for #ident {
                const TYPE: &'static ::uphold_resource::Type = &::uphold_resource::Type::Struct(SCHEMA.properties);
                fn from_value(
                    value: &::uphold_resource::Value,
                    context: &::uphold_resource::Context<'_>,
                ) -> ::core::result::Result<Self, ::uphold_resource::Problem> {
                    ::uphold_resource::private::nested(value, context, SCHEMA, <Self as ::uphold_resource::Settings>::decode)
                }
                fn to_value(&self) -> ::uphold_resource::Value {
                    ::uphold_resource::Value::map::<&str>(
                        [#(#entries),*].into_iter().flatten(),
                    )
                }
                fn claim(&self, role: ::uphold_resource::private::Role, claims: &mut ::uphold_resource::Claims) {
                    let _ = (role, &claims);
                    #(#claims)*
                }
                fn watch(
                    &self,
                    role: ::uphold_resource::private::Role,
                    host: &::uphold_resource::Reading<'_>,
                    interests: &mut ::std::vec::Vec<::uphold_resource::Interest>,
                ) {
                    let _ = (role, host, &interests);
                    #(#interests)*
                }
            }
        };
    }
}

/// Calls one field, in the role of the whole property.
fn each(field: &Field, method: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let ident = &field.ident;
    let property = quote! { ::uphold_resource::Property::#method };
    match field.role {
        Role::Setting(Setting::Optional) => quote! {
            if let ::core::option::Option::Some(value) = &self.#ident { #property(value, role, #arguments); }
        },
        _ => quote! { #property(&self.#ident, role, #arguments); },
    }
}

fn entry(field: &Field) -> TokenStream {
    let (ident, name) = (&field.ident, &field.name);
    match field.role {
        Role::Setting(Setting::Optional) => quote! {
            self.#ident.as_ref().map(|value| (#name, ::uphold_resource::Property::to_value(value)))
        },
        _ => {
            quote! { ::core::option::Option::Some((#name, ::uphold_resource::Property::to_value(&self.#ident))) }
        }
    }
}

/// A newtype: the inner type with further rules.
fn newtype(input: &DeriveInput, unnamed: &FieldsUnnamed, mistakes: &mut Mistakes) -> TokenStream {
    let ident = &input.ident;
    let inner = &unnamed.unnamed[0].ty;
    refuse_examples(&unnamed.unnamed[0].attrs, mistakes);
    let (shown, others): (Vec<_>, Vec<_>) =
        input.attrs.iter().cloned().partition(|attribute| attribute.path().is_ident("example"));
    let attributes = Attributes::read(&others, mistakes);
    let rules = crate::expand::rule_list(&attributes.rules);
    let ty = match shown.first().map(|shown| (shown, shown.parse_args::<Lit>())) {
        None => quote! { <#inner as ::uphold_resource::Property>::TYPE },
        Some((_, Ok(example))) => named(ident, &attributes.doc, &example),
        Some((shown, Err(_))) => {
            mistakes.add(shown, "show one value, as in `#[example(\"eth0\")]`");
            return TokenStream::new();
        }
    };
    quote! {
        #[automatically_derived]
        impl ::uphold_resource::Property for #ident {
            const TYPE: &'static ::uphold_resource::Type = #ty;
            fn from_value(
                value: &::uphold_resource::Value,
                context: &::uphold_resource::Context<'_>,
            ) -> ::core::result::Result<Self, ::uphold_resource::Problem> {
                let inner = <#inner as ::uphold_resource::Property>::from_value(value, context)?;
                ::uphold_resource::private::check(#rules, &::uphold_resource::Property::to_value(&inner))?;
                ::core::result::Result::Ok(Self(inner))
            }
            fn to_value(&self) -> ::uphold_resource::Value { ::uphold_resource::Property::to_value(&self.0) }
            fn settle(&self, current: ::core::option::Option<&Self>) -> Self {
                Self(::uphold_resource::Property::settle(&self.0, current.map(|current| &current.0)))
            }
            fn claim(&self, role: ::uphold_resource::private::Role, claims: &mut ::uphold_resource::Claims) {
                ::uphold_resource::Property::claim(&self.0, role, claims);
            }
            fn watch(
                &self,
                role: ::uphold_resource::private::Role,
                host: &::uphold_resource::Reading<'_>,
                interests: &mut ::std::vec::Vec<::uphold_resource::Interest>,
            ) {
                ::uphold_resource::Property::watch(&self.0, role, host, interests);
            }
        }
    }
}

/// A named type for documentation and editors: `LinkName` is a "link name", described by its doc comment.
fn named(ident: &Ident, doc: &str, example: &Lit) -> TokenStream {
    let mut name = String::new();
    for letter in ident.to_string().chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push(' ');
        }
        name.extend(letter.to_lowercase());
    }
    let first = doc.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    let mut letters = first.trim_end_matches('.').chars();
    let doc: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    let example = example.to_token_stream().to_string();
    quote! { &::uphold_resource::Type::Named { name: #name, doc: #doc, example: #example } }
}
