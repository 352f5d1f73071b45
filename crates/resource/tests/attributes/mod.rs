//! The attributes of fields, besides the roles that they give.

mod claims;
mod embedded_state;
mod lazy;
#[expect(unreachable_pub, reason = "the guide shows public items")]
mod shared_state;
