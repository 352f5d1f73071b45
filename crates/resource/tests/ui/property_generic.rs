//! A derived property type with a type parameter.

use uphold_resource::Property;

#[derive(Clone, Debug, PartialEq, Property)]
struct Pair<T> {
    #[required]
    first: T,
}

fn main() {}
