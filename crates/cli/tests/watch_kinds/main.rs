//! Each built-in kind under a watch of the real binary: drift is repaired because of events. Polling is disabled in all
//! of these tests.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests tamper with real files")]

mod commands;
mod files;
mod programs;
mod timelines;
mod waits;
mod watched;
