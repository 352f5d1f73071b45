//! What comes from servers and out of archives, on the machine in memory and on the real one.

mod hostile;
mod laws;
mod packed;
