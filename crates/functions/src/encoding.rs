//! Encoding and decoding of data.

pub(crate) mod base64;
pub(crate) mod charset;
pub(crate) mod csv;
pub(crate) mod gzip;
pub(crate) mod json;
pub(crate) mod url;
pub(crate) mod yaml;
mod yaml_writer;
