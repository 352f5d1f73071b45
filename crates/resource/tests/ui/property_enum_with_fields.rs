//! A word of an enum with fields.

use uphold_resource::Property;

#[derive(Clone, Debug, PartialEq, Property)]
enum Volume {
    Low,
    Exactly(u8),
}

fn main() {}
