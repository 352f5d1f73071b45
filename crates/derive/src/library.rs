//! The crate through which generated code names the API.
//!
//! A macro cannot see the dependencies of the crate that uses it, so each crate that exports the derives exports its own.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::quote_spanned;

/// The crate that the author depends on.
#[derive(Clone, Copy)]
pub(crate) enum Library {
    /// `uphold-resource` itself.
    Resource,
    /// `uphold-kit`, which exports the API as `uphold_kit::resource`.
    Kit,
}

impl Library {
    /// Generated code, which names `::uphold_resource`, with the path of this library.
    pub(crate) fn name_in(self, code: TokenStream) -> TokenStream {
        match self {
            Library::Resource => code,
            Library::Kit => code.into_iter().map(through_kit).collect(),
        }
    }
}

fn through_kit(token: TokenTree) -> TokenStream {
    match token {
        TokenTree::Group(group) => {
            let inside = group.stream().into_iter().map(through_kit).collect();
            let mut renamed = Group::new(group.delimiter(), inside);
            renamed.set_span(group.span());
            TokenTree::Group(renamed).into()
        }
        TokenTree::Ident(name) if is_api(&name) => quote_spanned!(name.span()=> uphold_kit::resource),
        other => other.into(),
    }
}

fn is_api(name: &Ident) -> bool {
    *name == "uphold_resource"
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn generated_code_names_the_library_everywhere() {
        let code =
            quote! { impl ::uphold_resource::Described for Note { fn f(_: &::uphold_resource::Act<'_>) {} } };
        let kit = quote! {
            impl ::uphold_kit::resource::Described for Note { fn f(_: &::uphold_kit::resource::Act<'_>) {} }
        };
        assert_eq!(Library::Kit.name_in(code.clone()).to_string(), kit.to_string());
        assert_eq!(Library::Resource.name_in(code.clone()).to_string(), code.to_string());
    }
}
