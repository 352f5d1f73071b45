//! The attributes of fields, besides the roles that they give.

mod embedded_state;
mod shared_state;
