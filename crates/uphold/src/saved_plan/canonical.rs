//! Values as bytes, so that two are equal exactly if their bytes are.

use uphold_model::Value;

/// The bytes of a value. What is hidden counts like what is not; the not yet known equals only itself.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(value, &mut bytes);
    bytes
}

fn write(value: &Value, to: &mut Vec<u8>) {
    match value {
        Value::Null => to.push(b'0'),
        Value::Bool(bool) => to.extend([b'b', u8::from(*bool)]),
        Value::Int(int) => part(b'i', &int.to_le_bytes(), to),
        Value::Float(float) => part(b'f', &float.to_bits().to_le_bytes(), to),
        Value::Text(text) => part(b't', text.as_bytes(), to),
        Value::Bytes(bytes) => part(b'x', bytes, to),
        Value::Reference(id) => part(b'r', id.to_string().as_bytes(), to),
        Value::Unknown(unknown) => part(b'u', unknown.waits_for.as_bytes(), to),
        Value::Sensitive(inner) => write(inner, to),
        Value::List(items) => {
            part(b'l', &items.len().to_le_bytes(), to);
            items.iter().for_each(|item| write(item, to));
        }
        Value::Map(map) => {
            part(b'm', &map.len().to_le_bytes(), to);
            for (key, value) in map.iter() {
                part(b'k', key.as_bytes(), to);
                write(value, to);
            }
        }
    }
}

/// A part with its sort and its length, so that no two parts can be taken for one.
fn part(sort: u8, content: &[u8], to: &mut Vec<u8>) {
    to.push(sort);
    to.extend((content.len() as u64).to_le_bytes());
    to.extend(content);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_equal_exactly_for_equal_values() {
        let text = Value::text;
        let values = [
            Value::Null,
            Value::Bool(false),
            Value::Int(0),
            Value::Float(0.0),
            text(""),
            text("0"),
            Value::Bytes(b"0".to_vec().into()),
            Value::list([text("a"), text("b")]),
            Value::list([text("ab")]),
            Value::list([Value::list([text("a")]), text("b")]),
            Value::map([("a", text("b"))]),
            Value::map([("ab", text(""))]),
            Value::unknown("a"),
        ];
        for (i, one) in values.iter().enumerate() {
            for (j, other) in values.iter().enumerate() {
                assert_eq!(bytes(one) == bytes(other), i == j, "{one} {other}");
            }
        }
        let partly = Value::list([text("a").sensitive(), text("b")]);
        assert_eq!(bytes(&partly), bytes(&Value::list([text("a"), text("b")]).sensitive()));
    }
}
