//! The kind `authorized_key`.

mod entry;
mod key_file;
mod login_key;
mod options;
mod resource;

pub use login_key::LoginKey;
pub use options::KeyOptions;
pub use resource::{
    AuthorizedKey, AuthorizedKeyChange, AuthorizedKeyGoal, AuthorizedKeyState, AuthorizedKeyWishes,
};
