//! Digests.

use data_encoding::{BASE64, HEXLOWER, HEXLOWER_PERMISSIVE};
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha256, Sha512};
use uphold_model::{Shape, Value};

use crate::call::{Call, Fault};
use crate::function::Accepts::{Data, Text};
use crate::function::{Body, Function, Parameter, Topic, example, takes};

const DATA: &[Parameter] = &[takes("data", Data)];

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "base64sha256",
        topic: Topic::Hashing,
        parameters: DATA,
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the SHA-256 digest of a string or bytes in base64. It differs from \
              `base64encode(sha256(...))`, which encodes the hexadecimal digits.",
        examples: &[example(
            "base64sha256(\"hello world\")",
            "\"uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=\"",
        )],
        body: Body::Whole(|call| Ok(base64::<Sha256>(call.data(0)?))),
    },
    Function {
        name: "base64sha512",
        topic: Topic::Hashing,
        parameters: DATA,
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the SHA-512 digest of a string or bytes in base64.",
        examples: &[example("length(base64sha512(\"hello world\"))", "88")],
        body: Body::Whole(|call| Ok(base64::<Sha512>(call.data(0)?))),
    },
    Function {
        name: "md5",
        topic: Topic::Hashing,
        parameters: DATA,
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the MD5 digest of a string or bytes in hexadecimal. MD5 is broken: use it for names, \
              never for security.",
        examples: &[example("md5(\"hello world\")", "\"5eb63bbbe01eeed093cb22bb8f5acdc3\"")],
        body: Body::Whole(|call| Ok(hex::<Md5>(call.data(0)?))),
    },
    Function {
        name: "sha1",
        topic: Topic::Hashing,
        parameters: DATA,
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the SHA-1 digest of a string or bytes in hexadecimal. SHA-1 is broken: never use it for \
              security.",
        examples: &[example("sha1(\"hello world\")", "\"2aae6c35c94fcfb415dbe95f408b9ce91ee846ed\"")],
        body: Body::Whole(|call| Ok(hex::<Sha1>(call.data(0)?))),
    },
    Function {
        name: "sha256",
        topic: Topic::Hashing,
        parameters: DATA,
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the SHA-256 digest of a string or bytes in hexadecimal.",
        examples: &[example(
            "sha256(\"hello world\")",
            "\"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9\"",
        )],
        body: Body::Whole(|call| Ok(hex::<Sha256>(call.data(0)?))),
    },
    Function {
        name: "sha512",
        topic: Topic::Hashing,
        parameters: DATA,
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the SHA-512 digest of a string or bytes in hexadecimal.",
        examples: &[example("substr(sha512(\"hello world\"), 0, 16)", "\"309ecc489c12d6eb\"")],
        body: Body::Whole(|call| Ok(hex::<Sha512>(call.data(0)?))),
    },
    Function {
        name: "uuidv5",
        topic: Topic::Hashing,
        parameters: &[takes("namespace", Text), takes("name", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the UUID of a name, which is always the same. The namespace is `dns`, `url`, `oid`, \
              `x500` or another UUID.",
        examples: &[example(
            "uuidv5(\"dns\", \"www.terraform.io\")",
            "\"a5008fae-b28c-5ba5-96cd-82b4c53552d6\"",
        )],
        body: Body::Whole(uuidv5),
    },
];

/// The digest of `data` in hexadecimal.
pub(crate) fn hex<D: Digest>(data: &[u8]) -> Value {
    Value::text(HEXLOWER.encode(&D::digest(data)))
}

/// The digest of `data` in base64.
pub(crate) fn base64<D: Digest>(data: &[u8]) -> Value {
    Value::text(BASE64.encode(&D::digest(data)))
}

fn uuidv5(call: &Call<'_>) -> Result<Value, Fault> {
    let namespace = namespace(call.text(0)?).ok_or_else(|| {
        Fault::at(0, format!("{:?} is not a namespace", call.text(0).map_or("", |text| text)))
            .with_fix("pass `dns`, `url`, `oid`, `x500` or a UUID")
    })?;
    let digest = Sha1::new().chain_update(namespace).chain_update(call.text(1)?.as_bytes()).finalize();
    let mut uuid = digest[..16].to_vec();
    // The bits that encode the version and the variant.
    uuid[6] = (uuid[6] & 0x0f) | 0x50;
    uuid[8] = (uuid[8] & 0x3f) | 0x80;
    let hex = HEXLOWER.encode(&uuid);
    let groups = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    Ok(Value::text(groups.join("-")))
}

/// The bytes of a namespace: those of RFC 9562 differ in one byte only.
fn namespace(text: &str) -> Option<Vec<u8>> {
    let of = |byte: &str| namespace(&format!("6ba7b81{byte}-9dad-11d1-80b4-00c04fd430c8"));
    match text {
        "dns" => of("0"),
        "url" => of("1"),
        "oid" => of("2"),
        "x500" => of("4"),
        uuid if uuid.len() == 36 && uuid.match_indices('-').map(|(at, _)| at).eq([8, 13, 18, 23]) => {
            HEXLOWER_PERMISSIVE.decode(uuid.replace('-', "").as_bytes()).ok()
        }
        _ => None,
    }
}
