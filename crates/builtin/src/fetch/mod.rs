//! What comes from servers: the kinds `download` and `http_request`.

mod checksum;
mod connection;
mod copy;
mod download;
mod origin;
mod transfer;

pub use checksum::Checksum;
pub use connection::Connection;
pub use copy::Copy;
pub use download::{Download, DownloadChange, DownloadGoal, DownloadState};

pub(crate) use checksum::Hasher;
