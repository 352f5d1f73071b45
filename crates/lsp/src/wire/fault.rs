//! Why a request has no answer.

use serde::Deserialize;
use serde_json::Value as Json;

/// The parameters of a method.
pub(crate) fn read<'j, T: Deserialize<'j>>(parameters: &'j Json) -> Result<T, Fault> {
    T::deserialize(parameters).map_err(|error| Fault::parameters(&error))
}

/// An error of the protocol.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// As JSON-RPC and the protocol number them.
    pub(crate) code: i32,
    pub(crate) message: String,
}

impl Fault {
    /// What came is no JSON.
    pub(crate) fn parse(message: impl Into<String>) -> Self {
        Self { code: -32700, message: message.into() }
    }

    /// What came is no request, or not now.
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self { code: -32600, message: message.into() }
    }

    /// There is no such method.
    pub(crate) fn method(method: &str) -> Self {
        Self { code: -32601, message: format!("there is no method `{method}` here") }
    }

    /// The parameters are not those of the method.
    pub(crate) fn parameters(error: &serde_json::Error) -> Self {
        Self { code: -32602, message: format!("the parameters are invalid: {error}") }
    }

    /// A defect of the server.
    pub(crate) fn internal() -> Self {
        Self { code: -32603, message: "the server failed to answer: this is a defect of Uphold".into() }
    }

    /// Nothing is answered before `initialize`.
    pub(crate) fn too_early() -> Self {
        Self { code: -32002, message: "`initialize` comes first".into() }
    }
}
