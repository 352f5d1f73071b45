//! Keys, and decoding them from the bytes that a terminal sends.

const ESCAPE: u8 = 0x1b;
const PASTE_BEGINS: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// Longest sequence of a key: of a longer one, only the end matters.
const LONGEST_SEQUENCE: usize = 32;

/// Longest pasted text: the rest is dropped.
const LONGEST_PASTE: usize = 4096;

/// Decodes keys, even if a read ends in the middle of one.
#[derive(Debug, Default)]
pub(crate) struct Keyboard {
    rest: Vec<u8>,
}

/// The result of decoding the first bytes.
enum Found {
    /// The length of a complete sequence, and its key, if it has an effect.
    Whole(usize, Option<Key>),
    /// An incomplete sequence.
    Part,
}

impl Keyboard {
    /// The keys that these bytes complete.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.rest.extend_from_slice(bytes);
        let (mut keys, mut at) = (Vec::new(), 0);
        while let Some(Found::Whole(length, key)) = find(&self.rest[at..]) {
            at += length;
            keys.extend(key);
        }
        self.rest.drain(..at);
        self.shorten();
        keys
    }

    /// Whether the last bytes may be the beginning of a key.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.rest.is_empty() && !self.is_pasting()
    }

    /// Ends an incomplete sequence after a timeout: a lone escape byte is the escape key.
    pub(crate) fn settle(&mut self) -> Option<Key> {
        if self.is_pasting() {
            return None;
        }
        let first = self.rest.first().copied();
        self.rest.clear();
        (first == Some(ESCAPE)).then_some(Key::Escape)
    }

    /// Whether text is being pasted. Its end can arrive much later, and until then nothing is a key.
    fn is_pasting(&self) -> bool {
        self.rest.starts_with(PASTE_BEGINS)
    }

    /// Limits the memory of a sequence without an end.
    fn shorten(&mut self) {
        if self.is_pasting() && self.rest.len() > LONGEST_PASTE {
            let end = self.rest.len() - PASTE_ENDS.len();
            self.rest.drain(PASTE_BEGINS.len()..end);
        } else if self.rest.len() > LONGEST_SEQUENCE && !self.is_pasting() {
            // Parameters of no key, so that the end of the sequence does not become one.
            self.rest.splice(2.., *b"0;0");
        }
    }
}

fn find(bytes: &[u8]) -> Option<Found> {
    let first = *bytes.first()?;
    Some(match first {
        ESCAPE if bytes.starts_with(PASTE_BEGINS) => pasted(bytes),
        ESCAPE => sequence(bytes),
        b'\r' | b'\n' => Found::Whole(1, Some(Key::Enter)),
        b'\t' => Found::Whole(1, Some(Key::Tab)),
        0x7f | 0x08 => Found::Whole(1, Some(Key::Backspace)),
        0x01..=0x1a => Found::Whole(1, Some(Key::Control(char::from(first - 1 + b'a')))),
        0x20..0x7f => Found::Whole(1, Some(Key::Char(char::from(first)))),
        0x80.. => character(bytes),
        _ => Found::Whole(1, None),
    })
}

fn pasted(bytes: &[u8]) -> Found {
    let body = &bytes[PASTE_BEGINS.len()..];
    match body.windows(PASTE_ENDS.len()).position(|window| window == PASTE_ENDS) {
        Some(end) => {
            let text = String::from_utf8_lossy(&body[..end]).into_owned();
            Found::Whole(PASTE_BEGINS.len() + end + PASTE_ENDS.len(), Some(Key::Pasted(text)))
        }
        None => Found::Part,
    }
}

/// `ESC [ … letter`, `ESC O letter`; any other byte after an escape is a key with Alt, which is ignored.
fn sequence(bytes: &[u8]) -> Found {
    match bytes.get(1) {
        None => Found::Part,
        Some(b'O') => match bytes.get(2) {
            None => Found::Part,
            Some(last) => Found::Whole(3, named(&[], *last)),
        },
        Some(b'[') => control_sequence(bytes),
        Some(&ESCAPE) => Found::Whole(1, Some(Key::Escape)),
        Some(_) => Found::Whole(2, None),
    }
}

fn control_sequence(bytes: &[u8]) -> Found {
    match bytes[2..].iter().position(|byte| (0x40..0x7f).contains(byte)) {
        Some(length) => Found::Whole(length + 3, named(&bytes[2..2 + length], bytes[2 + length])),
        None => Found::Part,
    }
}

fn named(parameters: &[u8], last: u8) -> Option<Key> {
    match (parameters, last) {
        (_, b'A') => Some(Key::Up),
        (_, b'B') => Some(Key::Down),
        (_, b'H') | (b"1" | b"7", b'~') => Some(Key::Home),
        (_, b'F') | (b"4" | b"8", b'~') => Some(Key::End),
        (_, b'Z') => Some(Key::BackTab),
        (_, b'M') if parameters.is_empty() => Some(Key::Enter),
        (b"5", b'~') => Some(Key::PageUp),
        (b"6", b'~') => Some(Key::PageDown),
        _ => None,
    }
}

/// One character of several bytes; invalid bytes are dropped one by one.
fn character(bytes: &[u8]) -> Found {
    let head = &bytes[..bytes.len().min(4)];
    let (valid, is_cut) = match str::from_utf8(head) {
        Ok(text) => (text, false),
        Err(error) => {
            let valid = str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default();
            (valid, error.error_len().is_none())
        }
    };
    match valid.chars().next() {
        Some(typed) => Found::Whole(typed.len_utf8(), (!typed.is_control()).then_some(Key::Char(typed))),
        None if is_cut => Found::Part,
        None => Found::Whole(1, None),
    }
}

/// A key that has an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A printable character.
    Char(char),
    /// A character with the control key.
    Control(char),
    /// Pasted text, which is not interpreted as keys.
    Pasted(String),
    /// The key of that name.
    Enter,
    /// The key of that name.
    Escape,
    /// The key of that name.
    Tab,
    /// Tab with shift.
    BackTab,
    /// The key that erases to the left.
    Backspace,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// The key of that name.
    PageUp,
    /// The key of that name.
    PageDown,
    /// The key of that name.
    Home,
    /// The key of that name.
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &[Key]) {
        assert_eq!(Keyboard::default().feed(bytes), expected, "{bytes:?} at once");
        let mut keyboard = Keyboard::default();
        let one_by_one: Vec<Key> = bytes.iter().flat_map(|byte| keyboard.feed(&[*byte])).collect();
        assert_eq!(one_by_one, expected, "{bytes:?} byte by byte");
        assert!(!keyboard.is_waiting(), "{bytes:?} leaves nothing");
    }

    #[test]
    fn decodes_keys_at_once_and_byte_by_byte() {
        check(b"qj/", &[Key::Char('q'), Key::Char('j'), Key::Char('/')]);
        check(
            b"\x03\x1a\r\n\t\x7f",
            &[Key::Control('c'), Key::Control('z'), Key::Enter, Key::Enter, Key::Tab, Key::Backspace],
        );
        check(b"\x1b[A\x1bOB\x1b[1;5A", &[Key::Up, Key::Down, Key::Up]);
        check(
            b"\x1b[5~\x1b[6~\x1b[H\x1b[4~\x1b[Z",
            &[Key::PageUp, Key::PageDown, Key::Home, Key::End, Key::BackTab],
        );
        check("é東🙂".as_bytes(), &[Key::Char('é'), Key::Char('東'), Key::Char('🙂')]);
    }

    #[test]
    fn drops_unknown_sequences() {
        check(b"\x1b[200;1x", &[]);
        check(b"\x1bq\x1b[<0;3;4M", &[]);
        check(b"\x00\xff\xfea", &[Key::Char('a')]);
        check("\u{9b}".as_bytes(), &[]);
        check(&[b"\x1b[".as_slice(), &[b'1'; 40], b"~"].concat(), &[]);
    }

    #[test]
    fn pasted_text_is_not_decoded() {
        check(b"\x1b[200~q\x03 r\x1b[201~j", &[Key::Pasted("q\u{3} r".to_owned()), Key::Char('j')]);
        let mut keyboard = Keyboard::default();
        keyboard.feed(PASTE_BEGINS);
        for _ in 0..10 {
            assert_eq!(keyboard.feed(&[b'q'; 1024]), []);
            assert_eq!((keyboard.settle(), keyboard.is_waiting()), (None, false), "it is still being pasted");
        }
        assert!(keyboard.rest.len() <= LONGEST_PASTE + 1024);
        assert!(matches!(&keyboard.feed(PASTE_ENDS)[..], [Key::Pasted(_)]));
    }

    #[test]
    fn a_lone_escape_is_a_key_after_the_timeout() {
        let mut keyboard = Keyboard::default();
        assert_eq!(keyboard.feed(b"\x1b"), []);
        assert!(keyboard.is_waiting());
        assert_eq!(keyboard.settle(), Some(Key::Escape));
        assert!(!keyboard.is_waiting());
        assert_eq!(keyboard.settle(), None);
    }
}
