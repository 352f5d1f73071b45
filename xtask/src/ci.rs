//! `cargo xtask ci`: the build machine runs the same checks as a developer.

use crate::failure::Result;
use crate::test;

pub(crate) fn run() -> Result {
    test::run()
}
