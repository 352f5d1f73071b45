//! Guarantees of a watch, on a machine in memory: each test scripts what happens at each wait, and compares all events
//! of the engine.

mod arming;
mod copies;
mod defined;
mod ending;
mod groups;
mod kinds;
mod limits;
mod losses;
mod nested;
#[path = "../engine/nothing.rs"]
mod nothing;
mod notifying;
mod overlapping;
mod pauses;
mod program;
mod recovery;
mod scale;
#[path = "../engine/sign.rs"]
mod sign;
mod stage;
mod surviving;
mod swapping;
mod transcript;
mod values;
mod windows;
