//! What comes from servers and out of archives, on the machine in memory and on the real one.

mod laws;
mod packed;
