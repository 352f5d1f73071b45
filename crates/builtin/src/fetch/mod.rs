//! The kinds `download` and `http_request`.

mod connection;
mod copy;
mod download;
mod http_request;
mod method;
mod origin;
mod transfer;

pub use connection::Connection;
pub use copy::Copy;
pub use download::{Download, DownloadChange, DownloadGoal, DownloadState, DownloadWishes};
pub use http_request::{
    Answer, HttpRequest, HttpRequestChange, HttpRequestGoal, HttpRequestState, HttpRequestVerb,
    HttpRequestWishes,
};
pub use method::Method;
