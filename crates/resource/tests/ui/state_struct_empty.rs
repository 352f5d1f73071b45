//! A struct of state without any property.

use uphold_resource::{Properties};

#[derive(Properties)]
struct Permissions {}

fn main() {}
