//! `uphold lsp`, driven over its standard input and output with messages of the protocol, as an editor does.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests run the real binary on real files"
)]

mod client;
mod completion;
mod definition;
mod diagnostics;
mod hover;
mod kind_files;
mod layout;
mod protocol;
mod responsiveness;
