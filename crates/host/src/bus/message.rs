//! Encoding of calls and values, and decoding of messages.

use super::reader::Reader;

/// The byte order of this machine, as the first byte of a message.
const NATIVE: u8 = if cfg!(target_endian = "big") { b'B' } else { b'l' };

/// The length of the header before the fields.
const HEADER: usize = 16;

/// D-Bus allows 128 MiB; our replies are far smaller than this.
const LARGEST: usize = 16 << 20;

/// A method call.
#[derive(Clone, Debug)]
pub(crate) struct Call<'a> {
    /// The bus name that is called.
    pub(crate) destination: &'a str,
    /// The object.
    pub(crate) path: &'a str,
    /// The interface.
    pub(crate) interface: &'a str,
    /// The method.
    pub(crate) member: &'a str,
    /// Its arguments.
    pub(crate) body: Body,
}

impl Call<'_> {
    /// Encodes the call.
    pub(super) fn encode(&self, serial: u32) -> Vec<u8> {
        let mut bytes = vec![NATIVE, 1, 0, 1];
        put_number(&mut bytes, u32::try_from(self.body.bytes.len()).unwrap_or(u32::MAX));
        put_number(&mut bytes, serial);
        let mut fields = Vec::new();
        put_field(&mut fields, 1, "o", self.path);
        put_field(&mut fields, 2, "s", self.interface);
        put_field(&mut fields, 3, "s", self.member);
        put_field(&mut fields, 6, "s", self.destination);
        if !self.body.signature.is_empty() {
            align(&mut fields, 8);
            fields.push(8);
            put_signature(&mut fields, "g");
            put_signature(&mut fields, &self.body.signature);
        }
        put_number(&mut bytes, u32::try_from(fields.len()).unwrap_or(u32::MAX));
        bytes.extend(fields);
        align(&mut bytes, 8);
        bytes.extend(&self.body.bytes);
        bytes
    }
}

fn put_field(fields: &mut Vec<u8>, code: u8, ty: &str, value: &str) {
    align(fields, 8);
    fields.push(code);
    put_signature(fields, ty);
    put_text(fields, value);
}

/// The type of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// The reply to a call.
    Reply,
    /// The error of a call.
    Refusal,
    /// A signal.
    Signal,
    /// Any other type, which is ignored.
    Other,
}

/// A received message.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// Its type.
    pub(super) kind: MessageKind,
    /// The serial of the call that it answers.
    pub(super) answers: u32,
    /// The object of a signal.
    pub(crate) path: String,
    /// The name of a signal.
    pub(crate) member: String,
    /// The name of an error.
    pub(crate) error: String,
    /// The signature of its body.
    pub(crate) signature: String,
    content: Vec<u8>,
}

/// The error for an invalid message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken;

impl Message {
    /// Takes the first message from the buffer; `None` if it is incomplete.
    pub(super) fn take(buffer: &mut Vec<u8>) -> Result<Option<Self>, Broken> {
        let Some(length) = length(buffer)? else { return Ok(None) };
        if buffer.len() < length {
            return Ok(None);
        }
        let message = Self::read(&buffer[..length]).ok_or(Broken)?;
        buffer.drain(..length);
        Ok(Some(message))
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let kind = match bytes.get(1)? {
            2 => MessageKind::Reply,
            3 => MessageKind::Refusal,
            4 => MessageKind::Signal,
            _ => MessageKind::Other,
        };
        let mut message = Self {
            kind,
            answers: 0,
            path: String::new(),
            member: String::new(),
            error: String::new(),
            signature: String::new(),
            content: Vec::new(),
        };
        let mut reader = Reader::new(bytes);
        reader.skip("(yyyyuu)")?;
        reader.array(8, |field| message.read_field(field))?;
        reader.align(8)?;
        message.content = bytes[reader.at()..].to_vec();
        Some(message)
    }

    fn read_field(&mut self, field: &mut Reader<'_>) -> Option<()> {
        field.align(8)?;
        let code = field.byte()?;
        let ty = field.signature()?;
        match (code, ty) {
            (1, "o") => self.path = field.text()?.to_owned(),
            (3, "s") => self.member = field.text()?.to_owned(),
            (4, "s") => self.error = field.text()?.to_owned(),
            (5, "u") => self.answers = field.number()?,
            (8, "g") => self.signature = field.signature()?.to_owned(),
            _ => drop(field.skip(ty)?),
        }
        Some(())
    }

    /// A reader of its body.
    pub(crate) fn body(&self) -> Reader<'_> {
        Reader::new(&self.content)
    }
}

/// The length of the first message; `None` if its header is incomplete.
fn length(buffer: &[u8]) -> Result<Option<usize>, Broken> {
    let Some(header) = buffer.get(..HEADER) else { return Ok(None) };
    let number = |at: usize| {
        let bytes = header.get(at..)?.first_chunk()?;
        usize::try_from(u32::from_ne_bytes(*bytes)).ok()
    };
    let (Some(body), Some(fields)) = (number(4), number(12)) else { return Err(Broken) };
    if header[0] != NATIVE || header[3] != 1 || body > LARGEST || fields > LARGEST {
        return Err(Broken);
    }
    Ok(Some((HEADER + fields).next_multiple_of(8) + body))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn signal() -> Vec<u8> {
        let call = Call {
            destination: "org.example",
            path: "/a/b",
            interface: "org.example.I",
            member: "Happened",
            body: Body::default().text("what").text(""),
        };
        let mut bytes = call.encode(7);
        bytes[1] = 4;
        bytes
    }

    #[test]
    fn reads_its_own_messages() {
        let bytes = signal();
        let mut buffer = [bytes.clone(), bytes].concat();
        for _ in 0..2 {
            let message = Message::take(&mut buffer).unwrap().unwrap();
            assert_eq!((&*message.path, &*message.member, &*message.signature), ("/a/b", "Happened", "ss"));
            assert_eq!(message.kind, MessageKind::Signal);
            let mut body = message.body();
            assert_eq!((body.text(), body.text(), body.text()), (Some("what"), Some(""), None));
        }
        assert!(buffer.is_empty());
    }

    #[test]
    fn waits_for_a_complete_message() {
        let whole = signal();
        for length in 0..whole.len() {
            assert!(Message::take(&mut whole[..length].to_vec()).unwrap().is_none(), "{length}");
        }
    }

    #[test]
    fn refuses_invalid_messages() {
        let check = |at: usize, byte: u8| {
            let mut bytes = signal();
            bytes[at] = byte;
            assert_eq!(Message::take(&mut bytes).map(drop), Err(Broken), "{at}");
        };
        check(0, b'?');
        check(3, 9);
        // The high byte of a length.
        check(if NATIVE == b'l' { 7 } else { 4 }, 0xff);
        // The type of the first field.
        check(18, b'u');
    }
}
