//! The terminal view of a watch, which can be left open.
//!
//! It reads the board of [`uphold_status`] in its own thread, so the watch never waits for the terminal. It writes to the
//! terminal and reads keys, and accesses nothing else of the machine.

mod cursor;
mod dashboard;
mod drawing;
mod filter;
mod local_time;
mod number;
mod safe_text;
#[cfg(test)]
mod sample;
mod screen;
mod summary;
mod terminal;
mod theme;
mod ui_state;
mod view;

pub use dashboard::{Dashboard, DashboardOptions};
pub use terminal::{Bell, TerminalMode};
pub use view::View;
