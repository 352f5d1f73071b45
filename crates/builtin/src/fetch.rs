//! The kinds `download` and `http_request`.

mod connection;
mod download;
mod http_request;
mod origin;
mod transfer;

pub use connection::Connection;
pub use download::Copy;
pub use download::{Download, DownloadChange, DownloadGoal, DownloadState, DownloadWishes};
pub use http_request::Method;
pub use http_request::{
    Answer, HttpRequest, HttpRequestChange, HttpRequestGoal, HttpRequestState, HttpRequestVerb,
    HttpRequestWishes,
};
