//! The life of a resource on a real host: planned, applied, drifted, repaired, removed.

mod runner;
mod steps;

pub use steps::Story;
