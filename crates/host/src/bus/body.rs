//! Encodes values as D-Bus does.

/// The arguments of a call, with their types.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(super) signature: String,
    pub(super) bytes: Vec<u8>,
}

impl Body {
    /// Appends a string.
    #[must_use]
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.signature.push('s');
        put_text(&mut self.bytes, text);
        self
    }
}

/// Pads to a multiple of `to`.
pub(super) fn align(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// Appends an aligned number.
pub(super) fn put_number(bytes: &mut Vec<u8>, number: u32) {
    align(bytes, 4);
    bytes.extend(number.to_ne_bytes());
}

/// Appends a string: length, bytes and a NUL. All strings come from us, and are short.
pub(super) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, u32::try_from(text.len()).unwrap_or(u32::MAX));
    bytes.extend(text.as_bytes());
    bytes.push(0);
}

/// Appends a signature, whose length is one byte.
pub(super) fn put_signature(bytes: &mut Vec<u8>, signature: &str) {
    bytes.push(u8::try_from(signature.len()).unwrap_or(u8::MAX));
    bytes.extend(signature.as_bytes());
    bytes.push(0);
}
