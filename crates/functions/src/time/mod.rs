//! Dates and durations.

mod date_format;
mod duration;
mod functions;
mod moment;

pub(crate) use functions::FUNCTIONS;
