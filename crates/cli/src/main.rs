//! The uphold command.
fn main() {}
