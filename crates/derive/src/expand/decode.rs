//! The generated decoder.

use proc_macro2::TokenStream;
use quote::quote;

use crate::check::depth;
use crate::container::Container;
use crate::field::Field;
use crate::role::{Role, Setting};

pub(crate) fn function(container: &Container) -> TokenStream {
    let body =
        fields(&container.fields, &quote! { <Self as ::uphold_resource::Properties>::SCHEMA.properties });
    quote! {
        fn decode(fields: &mut ::uphold_resource::Fields<'_>) -> ::core::option::Option<Self> { #body }
    }
}

/// Decodes each field, bases before the fields that are relative to them, and builds the struct.
pub(crate) fn fields(fields: &[Field], schemas: &TokenStream) -> TokenStream {
    let mut ordered: Vec<(usize, &Field)> = fields.iter().enumerate().collect();
    ordered.sort_by_key(|(_, field)| depth(field, fields));
    let decode = ordered.into_iter().map(|(index, field)| one(index, field, schemas));
    let build = fields.iter().map(build);
    quote! {
        #(#decode)*
        ::core::option::Option::Some(Self { #(#build)* })
    }
}

fn one(index: usize, field: &Field, schemas: &TokenStream) -> TokenStream {
    let local = field.local();
    let call = call(field, &quote! { &#schemas[#index] });
    match &field.attributes.relative_to {
        Some(base) => {
            let name = base.to_string().trim_start_matches("r#").to_owned();
            let base = quote::format_ident!("field_{name}");
            quote! {
                fields.relative_to(#name, ::uphold_resource::Base::base(&#base));
                #call
                fields.relative_to_nothing();
            }
        }
        None if matches!(field.role, Role::Export) => quote! { let #local = (); },
        None => call,
    }
}

fn call(field: &Field, schema: &TokenStream) -> TokenStream {
    let (local, ty) = (field.local(), &field.ty);
    match &field.role {
        Role::Name => quote! { let #local = fields.name::<#ty>(#schema); },
        Role::Identity { default: Some(expr), .. } | Role::Setting(Setting::Default(expr)) => {
            quote! { let #local = fields.defaulted::<#ty>(#schema, #expr); }
        }
        Role::Identity { .. } | Role::Setting(Setting::Required) => {
            quote! { let #local = fields.required::<#ty>(#schema); }
        }
        Role::Setting(Setting::Optional) => quote! { let #local = fields.optional::<#ty>(#schema); },
        Role::State { .. } => quote! { let #local = fields.want::<#ty>(#schema); },
        Role::Flatten(_) => quote! { let #local = <#ty as ::uphold_resource::Properties>::decode(fields); },
        Role::Settings => quote! { let #local = <#ty as ::uphold_resource::Settings>::decode(fields); },
        Role::Export => TokenStream::new(),
    }
}

fn build(field: &Field) -> TokenStream {
    let (ident, local) = (&field.ident, field.local());
    match &field.role {
        Role::State { .. } | Role::Setting(Setting::Optional) => quote! { #ident: #local, },
        Role::Export => quote! { #ident: { let () = #local; ::core::default::Default::default() }, },
        _ => quote! { #ident: #local?, },
    }
}
