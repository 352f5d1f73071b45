//! The derive macros.
use proc_macro::TokenStream;
/// x
#[proc_macro_derive(Resource)]
pub fn resource(_: TokenStream) -> TokenStream { TokenStream::new() }
/// x
#[proc_macro_derive(Property)]
pub fn property(_: TokenStream) -> TokenStream { TokenStream::new() }
