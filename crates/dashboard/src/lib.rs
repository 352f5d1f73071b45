//! The terminal view of a watch that a person can leave open.
//!
//! It reads the board of [`uphold_status`] from a thread of its own: however much happens, the watch does not wait for
//! the terminal. It writes to the terminal and listens to keys, and knows nothing else of the machine.

mod cursor;
mod dashboard;
mod drawing;
mod farewell;
mod filter;
mod local_time;
mod number;
mod pace;
mod safe_text;
#[cfg(test)]
mod sample;
mod scene;
mod screen;
mod setting;
mod terminal;
mod theme;
mod view;
mod words;

pub use dashboard::Dashboard;
pub use farewell::farewell;
pub use setting::Setting;
pub use terminal::{Bell, Lifeline};
pub use view::View;
