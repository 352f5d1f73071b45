//! The cost of calls in steps of the evaluator: a step is some ten nanoseconds of an optimised build.

use uphold_model::Value;

use super::bounds::MOST_PARTS;
use crate::function::{Body, Function};

/// Steps for each part that is read or copied.
const PART: usize = 6;

/// The number of bytes of a string that are read or copied in one step.
const BYTES_OF_A_STEP: usize = 8;

/// The same for a string in the result: most of the work was already charged for the arguments.
const MADE_BYTES_OF_A_STEP: usize = 64;

/// How the cost grows with the arguments.
enum Growth {
    /// With the number of parts and bytes.
    Linear,
    /// Like [`Growth::Linear`], plus the comparisons of a sort.
    Sorting,
    /// Bytes are parsed, with this many steps for each.
    Parsing(usize),
    /// Bytes are matched against a pattern, which is the argument with this index.
    Matching(usize),
    /// Only the result counts.
    Result,
}

impl Function {
    /// The steps that a call takes because of its arguments, charged before it.
    ///
    /// Counting takes a walk over the parts that the call itself reads.
    pub fn steps(&self, arguments: &[Value]) -> usize {
        let size = match self.body {
            Body::Whole(_) | Body::Deciding(_) => arguments.iter().fold(Size::default(), Size::with),
            _ => arguments.iter().fold(Size::default(), Size::with_top),
        };
        match self.growth() {
            Growth::Result => 0,
            Growth::Linear => size.steps(),
            Growth::Sorting => {
                let rounds = size.parts.max(1).ilog2() as usize;
                size.steps() + rounds * (2 * size.parts + size.bytes / 64)
            }
            Growth::Parsing(each) => size.steps() + size.bytes * each,
            Growth::Matching(at) => {
                let pattern = arguments.get(at).map_or(0, |pattern| Size::default().with(pattern).bytes);
                size.steps() + size.bytes.saturating_mul(pattern.max(16)) / 16
            }
        }
    }

    /// The steps that a call takes because of its result.
    pub fn steps_for_result(&self, result: &Value) -> usize {
        match result.reveal() {
            Value::Text(text) => text.len() / MADE_BYTES_OF_A_STEP,
            Value::Bytes(bytes) => bytes.len() / MADE_BYTES_OF_A_STEP,
            Value::List(items) => items.len() * PART,
            Value::Map(map) => map.len() * PART,
            _ => 0,
        }
    }

    fn growth(&self) -> Growth {
        match (self.name, self.body) {
            (
                "distinct" | "matchkeys" | "setintersection" | "setsubtract" | "setunion" | "sort" | "toset"
                | "transpose" | "zipmap",
                _,
            ) => Growth::Sorting,
            ("chunklist" | "flatten" | "merge", _) => Growth::Linear,
            ("yamldecode", _) => Growth::Parsing(10),
            ("csvdecode" | "jsondecode" | "jsonencode" | "yamlencode", _) => Growth::Parsing(1),
            ("regex" | "regexall", _) => Growth::Matching(0),
            ("replace", _) => Growth::Matching(1),
            (_, Body::Whole(_) | Body::Deciding(_)) => Growth::Linear,
            _ => Growth::Result,
        }
    }
}

/// The amount of data to read.
#[derive(Clone, Copy, Default)]
struct Size {
    parts: usize,
    bytes: usize,
}

impl Size {
    /// Adds `value`. A shared part counts each time, and counting stops where a call would be rejected.
    fn with(mut self, value: &Value) -> Self {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return self;
        }
        match value {
            Value::Text(text) => self.bytes += text.len(),
            Value::Bytes(bytes) => self.bytes += bytes.len(),
            Value::List(items) => return items.iter().fold(self, Size::with),
            Value::Map(map) => {
                return map.iter().fold(self, |size, (key, item)| {
                    Size { bytes: size.bytes + key.len(), ..size }.with(item)
                });
            }
            Value::Sensitive(inner) => return self.with(inner),
            _ => {}
        }
        self
    }

    /// Adds `value` and its elements, but not their contents.
    fn with_top(mut self, value: &Value) -> Self {
        self.parts += 1;
        match value.reveal() {
            Value::List(items) => self.parts += items.len(),
            Value::Map(map) => self.parts += map.len(),
            Value::Text(text) => self.bytes += text.len(),
            _ => {}
        }
        self
    }

    fn steps(self) -> usize {
        self.parts * PART + self.bytes / BYTES_OF_A_STEP
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::find;

    #[test]
    fn a_call_is_charged_for_its_arguments() {
        let steps =
            |name: &str, arguments: &[Value]| find(name).map_or(0, |function| function.steps(arguments));
        let numbers = Value::list((0..1000).map(Value::Int));
        let map = Value::map((0..1000).map(|i| (format!("{i:04}"), Value::list([Value::Int(i)]))));
        let text = Value::text("x".repeat(8000));
        assert_eq!(steps("sum", std::slice::from_ref(&numbers)), 6006);
        assert_eq!(steps("jsonencode", std::slice::from_ref(&map)), 12006 + 500 + 4000);
        assert_eq!(steps("merge", &[map.clone(), map]), 12012);
        assert_eq!(steps("distinct", std::slice::from_ref(&numbers)), 6006 + 9 * 2002);
        assert_eq!(steps("element", &[numbers, Value::Int(1)]), 0);
        assert_eq!(steps("upper", std::slice::from_ref(&text)), 1006);
        assert_eq!(steps("yamldecode", std::slice::from_ref(&text)), 81006);
        assert_eq!(steps("regex", &[Value::text("y".repeat(64)), text]), 12 + 1008 + 32256);
        let laughs = (0..64).fold(Value::Int(1), |inner, _| Value::list(vec![inner; 8]));
        assert!(steps("jsonencode", &[laughs]) > MOST_PARTS);
    }

    #[test]
    fn a_call_is_charged_for_its_result() {
        let steps = |result: Value| find("range").map_or(0, |function| function.steps_for_result(&result));
        assert_eq!(steps(Value::list(vec![Value::Null; 10])), 60);
        assert_eq!(steps(Value::text("x".repeat(640)).sensitive()), 10);
        assert_eq!(steps(Value::Int(1)), 0);
    }
}
