//! Each kind that ships is held by a watch of the real binary: what somebody changes is repaired because the machine
//! reports it. Nothing here is found by looking now and then: no watch of these tests ever does.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests tamper with real files")]

mod commands;
mod files;
mod held;
mod programs;
mod timelines;
mod waits;
