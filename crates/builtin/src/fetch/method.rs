//! What is asked of a server.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The methods that there are.
const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// A method of HTTP, in any case: `"post"` is `"POST"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method(&'static str);

impl Method {
    /// Asks for something, and changes nothing.
    pub(crate) const GET: Method = Method("GET");

    /// In upper case, as it is sent.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Whether it changes nothing by its nature.
    pub(crate) fn only_looks(self) -> bool {
        matches!(self.0, "GET" | "HEAD")
    }
}

impl Property for Method {
    const TYPE: &'static Type =
        &Type::Named { name: "method", doc: "a method of HTTP, in any case", example: r#""POST""# };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let found = match value {
            Value::Text(text) => METHODS.iter().find(|method| text.eq_ignore_ascii_case(method)),
            _ => None,
        };
        let fix = format!("write one of {}", METHODS.join(", "));
        found.map(|method| Method(method)).ok_or_else(|| Problem::new(Some(value), "is not a method", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_case_will_do() {
        let read = |text: &str| Method::from_value(&Value::text(text), &Context::NOTHING);
        assert_eq!(read("post"), read("POST"));
        assert!(read("get").is_ok_and(Method::only_looks) && read("put").is_ok_and(|put| !put.only_looks()));
        assert!(read("BREW").is_err() && read("").is_err());
    }
}
