//! A union as a property type.

use uphold_resource::Property;

#[derive(Clone, Copy, Property)]
union Either {
    a: u8,
    b: i8,
}

fn main() {}
