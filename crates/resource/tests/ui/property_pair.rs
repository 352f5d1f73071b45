//! A struct of two fields without names.

use uphold_resource::Property;

#[derive(Clone, Debug, PartialEq, Property)]
struct Pair(u8, u8);

fn main() {}
