//! A property type that cannot be compared.

use uphold_resource::Property;

#[derive(Clone, Property)]
enum Volume {
    Low,
    High,
}

fn main() {}
