//! Notifications that are due: written before the change that causes them, so that no interruption loses one.

mod book;
mod record;
mod sync;
#[cfg(test)]
mod tests;

pub use book::{Delivery, Pending, Ticket};
pub use record::{DueNotification, NewNotification, PendingView};
