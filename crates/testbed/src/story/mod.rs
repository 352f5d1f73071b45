//! The life of a resource on a real host: planned, applied, drifted, repaired, removed.

mod report;
mod runner;
mod steps;

pub use steps::Story;
