//! `cargo xtask ci`: what the build machine runs is what a developer runs.

use crate::failure::Result;
use crate::test;

pub(crate) fn run() -> Result {
    test::run()
}
