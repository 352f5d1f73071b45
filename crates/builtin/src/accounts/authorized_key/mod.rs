//! The kind `authorized_key`.

mod base64;
mod entry;
mod key_file;
mod options;
mod public_key;
mod resource;

pub use options::KeyOptions;
pub use public_key::PublicKey;
pub use resource::{AuthorizedKey, AuthorizedKeyChange, AuthorizedKeyGoal, AuthorizedKeyState};
