//! `uphold status` with a real `uphold watch`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests prepare real files and wait"
)]

mod answers;
mod ending;
mod scraping;
mod stage;
