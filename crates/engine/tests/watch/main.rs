//! What a watch guarantees, on a machine in memory: each test says what happens at which wait, and compares all that
//! the engine says.

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
