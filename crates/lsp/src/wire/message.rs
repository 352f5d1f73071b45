//! One message.

use serde_json::Value as Json;

use super::fault::Fault;

/// What came.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    /// Wants an answer.
    Request { id: Json, method: String, parameters: Json },
    /// Wants none.
    Notification { method: String, parameters: Json },
    /// Answers something that the server asked.
    Response,
    /// Cannot be understood; the id is null if that cannot be told either.
    Malformed { id: Json, fault: Fault },
}

impl Message {
    /// Reads the content of a message.
    pub(crate) fn read(content: &[u8]) -> Self {
        let json = match serde_json::from_slice(content) {
            Ok(Json::Object(json)) => json,
            Ok(_) => return Self::malformed(Json::Null, Fault::request("a message is a JSON object")),
            Err(error) => {
                return Self::malformed(Json::Null, Fault::parse(format!("a message is JSON: {error}")));
            }
        };
        let mut json = json;
        let id = json.remove("id");
        let parameters = json.remove("params").unwrap_or_default();
        match (id, json.remove("method")) {
            (Some(id), Some(Json::String(method))) if is_id(&id) => Self::Request { id, method, parameters },
            (None, Some(Json::String(method))) => Self::Notification { method, parameters },
            (Some(_), None) if json.contains_key("result") || json.contains_key("error") => Self::Response,
            (id, _) => {
                let id = id.filter(is_id).unwrap_or_default();
                Self::malformed(
                    id,
                    Fault::request("a request has a `method`, and its `id` is text or a number"),
                )
            }
        }
    }

    fn malformed(id: Json, fault: Fault) -> Self {
        Self::Malformed { id, fault }
    }
}

fn is_id(id: &Json) -> bool {
    id.is_string() || id.is_number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let check = |text: &str, expected: &str| {
            let shown = match Message::read(text.as_bytes()) {
                Message::Request { id, method, parameters } => format!("{id} {method} {parameters}"),
                Message::Notification { method, parameters } => format!("{method} {parameters}"),
                Message::Response => "response".to_owned(),
                Message::Malformed { id, fault } => format!("{id} {}", fault.code),
            };
            assert_eq!(shown, expected, "{text}");
        };
        check(r#"{"id":1,"method":"a","params":{}}"#, "1 a {}");
        check(r#"{"id":"x","method":"a"}"#, "\"x\" a null");
        check(r#"{"method":"a","params":[1]}"#, "a [1]");
        check(r#"{"id":1,"result":null}"#, "response");
        check(r#"{"id":1}"#, "1 -32600");
        check(r#"{"id":[],"method":"a"}"#, "null -32600");
        check(r#"{"method":5}"#, "null -32600");
        check("[]", "null -32600");
        check("{", "null -32700");
        check("\u{0}", "null -32700");
    }
}
