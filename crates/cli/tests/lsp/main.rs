//! `uphold lsp`, driven with protocol messages over standard input and output, like an editor does.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests run the real binary on real files"
)]

mod client;
mod completion;
mod definition;
mod diagnostics;
mod formatting;
mod hover;
mod kind_files;
mod protocol;
mod responsiveness;
