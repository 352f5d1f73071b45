//! Roles inside a nested struct.

use uphold_resource::{Property, Want};

#[derive(Clone, Debug, PartialEq, Property)]
struct Limits {
    #[required]
    open_files: u64,
    memory: Want<u64>,
}

fn main() {}
