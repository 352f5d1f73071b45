//! The kind `apt_key`.

mod armor;
mod keyring;
mod openpgp;
mod resource;

pub use keyring::Keyring;
pub use resource::{AptKey, AptKeyChange, AptKeyGoal, AptKeyState, AptKeyWishes};
