//! HTTP methods.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The supported methods.
const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// An HTTP method, in any case: `"post"` is `"POST"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method(&'static str);

impl Method {
    /// A request that changes nothing.
    pub(crate) const GET: Method = Method("GET");

    /// The method in upper case.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Whether the method is read-only by definition.
    pub(crate) fn is_read_only(self) -> bool {
        matches!(self.0, "GET" | "HEAD")
    }
}

impl Property for Method {
    const TYPE: &'static Type =
        &Type::Named { name: "method", doc: "an HTTP method, in any case", example: r#""POST""# };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let found = match value {
            Value::Text(text) => METHODS.iter().find(|method| text.eq_ignore_ascii_case(method)),
            _ => None,
        };
        let fix = format!("use one of {}", METHODS.join(", "));
        found
            .map(|method| Method(method))
            .ok_or_else(|| Problem::new(Some(value), "is not a supported HTTP method", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        let read = |text: &str| Method::from_value(&Value::text(text), &Context::NOTHING);
        assert_eq!(read("post"), read("POST"));
        assert!(
            read("get").is_ok_and(Method::is_read_only) && read("put").is_ok_and(|put| !put.is_read_only())
        );
        assert!(read("BREW").is_err() && read("").is_err());
    }
}
