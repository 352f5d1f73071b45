//! Several lines of text.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// Several lines of text. The ending of the last one does not matter.
#[derive(Clone, Debug)]
pub struct Lines(String);

impl Lines {
    /// The lines without their endings.
    pub(crate) fn iter(&self) -> std::str::Lines<'_> {
        self.0.lines()
    }
}

impl PartialEq for Lines {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Property for Lines {
    const TYPE: &'static Type = String::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        String::from_value(value, context).map(Lines)
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

impl From<String> for Lines {
    fn from(text: String) -> Self {
        Lines(text)
    }
}

impl From<&str> for Lines {
    fn from(text: &str) -> Self {
        Lines(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_the_last_line_ending() {
        let check = |one: &str, other: &str, same: bool| {
            assert_eq!(Lines::from(one) == Lines::from(other), same, "{one:?} {other:?}");
        };
        check("a\nb", "a\nb\n", true);
        check("a\r\nb\r\n", "a\nb", true);
        check("", "\n", false);
        check("a\n", "a\n\n", false);
    }
}
