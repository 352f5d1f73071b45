//! What a kind has to go through on a real host.

mod course;
mod report;
mod teller;

pub use course::Story;
