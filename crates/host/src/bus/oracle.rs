//! Comparison with another implementation of D-Bus.

use std::collections::HashMap;

use proptest::prelude::*;
use zbus::wire::serialized::{Context, Data};
use zbus::wire::{NATIVE_ENDIAN, to_bytes};
use zbus::{ObjectPath, Signature, Str, Variant};

use super::message::{Body, Call, Message, MessageKind};
use super::reader::Reader;
use crate::units::unit_path;

/// The header of a message.
type Header<'a> = (u8, u8, u8, u8, u32, u32, Vec<(u8, Variant<'a>)>);

fn context() -> Context {
    Context::new(NATIVE_ENDIAN, 0)
}

/// Any D-Bus value, a few levels deep.
fn any_value() -> impl Strategy<Value = Variant<'static>> {
    let leaf = prop_oneof![
        any::<u8>().prop_map(Variant::from),
        any::<bool>().prop_map(Variant::from),
        any::<i16>().prop_map(Variant::from),
        any::<u32>().prop_map(Variant::from),
        any::<i64>().prop_map(Variant::from),
        any::<f64>().prop_map(Variant::from),
        "[^\0]{0,20}".prop_map(Variant::from),
        Just(Variant::from(ObjectPath::try_from("/a/b").expect("it is a path"))),
        proptest::collection::vec("[^\0]{0,9}", 0..4).prop_map(Variant::from),
        proptest::collection::vec(any::<u64>(), 0..4).prop_map(Variant::from),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|value| Variant::Variant(Box::new(value))),
            proptest::collection::hash_map("[a-z]{1,5}", inner.clone(), 0..4).prop_map(Variant::from),
            (inner.clone(), any::<u8>(), inner).prop_map(|(one, byte, two)| Variant::from((one, byte, two))),
        ]
    })
}

/// A message with this body, encoded by the other implementation.
fn message(kind: u8, signature: &str, body: &[u8]) -> Vec<u8> {
    let text = |text: &'static str| Variant::from(Str::from(text));
    let types = Signature::try_from(signature).expect("it is a signature");
    let fields = vec![
        (1_u8, Variant::from(ObjectPath::try_from("/org/example/it").expect("it is a path"))),
        (2, text("org.example.I")),
        (3, text("Happened")),
        (4, text("org.example.Error.No")),
        (5, Variant::from(7_u32)),
        (7, text(":1.5")),
        (8, Variant::from(types)),
    ];
    let endian = if cfg!(target_endian = "big") { b'B' } else { b'l' };
    let length = u32::try_from(body.len()).expect("it is short");
    let header = (endian, kind, 0_u8, 1_u8, length, 9_u32, fields);
    let mut bytes = to_bytes(context(), &header).expect("it can be written").to_vec();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    [bytes, body.to_vec()].concat()
}

proptest! {
    /// The other implementation decodes our calls: the path of any unit, and any strings.
    #[test]
    fn zbus_reads_our_calls(unit in "[ -~]{1,30}", first in "[^\0]{0,40}", second in "[^\0]{0,40}", serial in 1_u32..) {
        let path = unit_path(&unit);
        let call = Call {
            destination: "org.freedesktop.systemd1",
            path: &path,
            interface: "org.freedesktop.DBus.Properties",
            member: "Get",
            body: Body::default().text(&first).text(&second),
        };
        let bytes = call.encode(serial);
        let data = Data::new(&bytes[..], context());
        let (header, length): (Header<'_>, usize) = data.deserialize().expect("it is understood");
        prop_assert_eq!((header.1, header.3, header.5), (1, 1, serial));
        let text = |code: u8| header.6.iter().find(|field| field.0 == code).map(|field| field.1.to_string());
        for (code, value) in [(1, &*path), (2, call.interface), (3, "Get"), (6, call.destination), (8, "ss")] {
            prop_assert!(text(code).is_some_and(|found| found.contains(value)), "{} is not {}", code, value);
        }
        let body = &bytes[length.next_multiple_of(8)..];
        prop_assert_eq!(usize::try_from(header.4).expect("it is short"), body.len());
        let body = Data::new(body, context());
        let (read, _): ((String, String), usize) = body.deserialize().expect("it is understood");
        prop_assert_eq!(read, (first, second));
    }

    /// We decode the messages of the other implementation: each name is found, and each value is read to its last byte.
    #[test]
    fn we_read_messages_of_zbus(
        values in proptest::collection::hash_map("[a-zA-Z]{1,12}", any_value(), 0..8), last in "[^\0]{0,9}",
    ) {
        let body = to_bytes(context(), &(&values, &last)).expect("it can be written").to_vec();
        let mut buffer = [message(4, "(a{sv}s)", &body), message(2, "(a{sv}s)", &body)].concat();
        for kind in [MessageKind::Signal, MessageKind::Reply] {
            let message = Message::take(&mut buffer).expect("it is whole").expect("it is complete");
            prop_assert_eq!(message.kind, kind);
            prop_assert_eq!((&*message.path, &*message.member), ("/org/example/it", "Happened"));
            prop_assert_eq!((&*message.error, message.answers), ("org.example.Error.No", 7));
            prop_assert_eq!(&*message.signature, "(a{sv}s)");
            let mut names = HashMap::new();
            let mut reader = message.body();
            reader.array(8, |entry| {
                entry.align(8)?;
                let name = entry.text()?;
                *names.entry(name.to_owned()).or_insert(0) += 1;
                entry.skip("v").map(drop)
            }).expect("it can be read");
            prop_assert!(names.len() == values.len() && values.keys().all(|name| names.contains_key(name)));
            prop_assert_eq!(reader.text(), Some(&*last));
            prop_assert_eq!(reader.byte(), None);
        }
    }

    /// A truncated, changed or invented message is refused or waited for.
    #[test]
    fn hostile_messages_are_harmless(
        values in proptest::collection::hash_map("[a-z]{1,5}", any_value(), 0..4),
        cut in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let body = to_bytes(context(), &values).expect("it can be written").to_vec();
        let mut bytes = message(4, "a{sv}", &body);
        let place = at.index(bytes.len());
        bytes[place] = byte;
        read_all(&mut bytes.clone());
        bytes.truncate(cut.index(bytes.len()));
        read_all(&mut bytes);
    }

    #[test]
    fn random_bytes_are_harmless(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), signature in "[a(){}vsyugxo]{0,80}") {
        let _ = Reader::new(&bytes).skip(&signature);
        if let Some(first) = bytes.first_mut() {
            *first = b'l';
        }
        read_all(&mut bytes);
    }
}

fn read_all(bytes: &mut Vec<u8>) {
    while let Ok(Some(message)) = Message::take(bytes) {
        let _ = message.body().skip(&message.signature.clone());
        let mut reader = message.body();
        let _ = reader.array(8, |entry| entry.align(8).and_then(|()| entry.skip("{sv}").map(drop)));
    }
}
