//! The names that the usual kind needs: `use uphold_kit::prelude::*;`.

pub use crate::resource::{
    AbsolutePath, Act, Error, ErrorKind, Found, Look, Mode, Property, Reading, Resource, Result, Seen, Step,
    Want, Wish,
};
pub use crate::{ownership, parent, regular_file, tool};
