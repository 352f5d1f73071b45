//! Private keys: generating, reading and signing.

use ring::rand::SystemRandom;
use ring::signature::{
    self, ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P384_SHA384_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair,
    KeyPair as _, RsaKeyPair,
};
use uphold_resource::{Act, Error, ErrorKind, Property, Result};

use super::der::{Reader, bit_string, integer, sequence, tag, value};
use super::{der, x509};

/// The type of a new key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum KeyType {
    /// NIST P-256, which all clients support.
    P256,
    /// NIST P-384.
    P384,
    /// Ed25519, which some browsers do not support.
    Ed25519,
}

/// A private key.
pub(super) enum KeyPair {
    P256(EcdsaKeyPair),
    P384(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Rsa(RsaKeyPair),
}

/// The PEM label of new keys.
const LABEL: &str = "PRIVATE KEY";

/// Generates a key and returns it in PEM format.
///
/// `ring` generates elliptic-curve keys from its own random source, which cannot be replaced; all other random
/// bytes come from the host.
pub(super) fn generate(kind: KeyType, host: &Act<'_>) -> Result<String> {
    let random = SystemRandom::new();
    let made = match kind {
        KeyType::P256 => EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random),
        KeyType::P384 => EcdsaKeyPair::generate_pkcs8(&ECDSA_P384_SHA384_ASN1_SIGNING, &random),
        KeyType::Ed25519 => {
            let mut seed = [0; 32];
            host.fill_random(&mut seed)?;
            return Ok(x509::write(LABEL, &wrapped_seed(&seed)));
        }
    };
    let made = made.map_err(|_| Error::failed("cannot generate a private key"))?;
    Ok(x509::write(LABEL, made.as_ref()))
}

/// The seed in PKCS #8 version 1, which all programs can read.
fn wrapped_seed(seed: &[u8; 32]) -> Vec<u8> {
    let key = value(tag::OCTET_STRING, &value(tag::OCTET_STRING, seed));
    sequence(&[integer(&[0]), sequence(&[der::der(der::ED25519)]), key])
}

impl KeyPair {
    /// Reads the private key in a PEM file.
    ///
    /// # Errors
    /// If the file has no supported key. The message does not contain its content.
    pub(super) fn read(text: &str) -> Result<Self> {
        let unusable = |why: &str| {
            let hint =
                "convert it to an unencrypted PKCS #8 key: `openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW`";
            Error::new(ErrorKind::Invalid, format!("the file is not a supported private key: {why}"))
                .hint(hint)
        };
        let (label, der) = x509::read(text).ok_or_else(|| unusable("it is not in PEM format"))?;
        match label {
            "RSA PRIVATE KEY" => RsaKeyPair::from_der(&der).map(KeyPair::Rsa).ok(),
            LABEL => Self::of(&der),
            other => return Err(unusable(&format!("it is labelled {other:?}"))),
        }
        .ok_or_else(|| unusable("its type is unknown, or it is damaged"))
    }

    /// Parses a key in PKCS #8.
    fn of(der: &[u8]) -> Option<Self> {
        let mut fields = Reader(der).expect(tag::SEQUENCE)?.inside();
        fields.expect(tag::INTEGER)?;
        let mut algorithm = fields.expect(tag::SEQUENCE)?.inside();
        let number = algorithm.expect(tag::OID)?.content;
        let curve = algorithm.any().map(|curve| curve.content);
        let random = SystemRandom::new();
        match (number, curve) {
            (der::ED25519, _) => Ed25519KeyPair::from_pkcs8_maybe_unchecked(der).ok().map(KeyPair::Ed25519),
            (der::RSA, _) => RsaKeyPair::from_pkcs8(der).ok().map(KeyPair::Rsa),
            (der::EC_PUBLIC_KEY, Some(der::P256)) => {
                EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, der, &random)
                    .ok()
                    .map(KeyPair::P256)
            }
            (der::EC_PUBLIC_KEY, Some(der::P384)) => {
                EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_ASN1_SIGNING, der, &random)
                    .ok()
                    .map(KeyPair::P384)
            }
            _ => None,
        }
    }

    /// The public key, as raw bytes.
    pub(super) fn public(&self) -> &[u8] {
        match self {
            KeyPair::P256(pair) | KeyPair::P384(pair) => pair.public_key().as_ref(),
            KeyPair::Ed25519(pair) => pair.public_key().as_ref(),
            KeyPair::Rsa(pair) => pair.public_key().as_ref(),
        }
    }

    /// The public key as a `SubjectPublicKeyInfo` of a certificate.
    pub(super) fn public_info(&self) -> Vec<u8> {
        let elliptic = |curve: &[u8]| [der::der(der::EC_PUBLIC_KEY), der::der(curve)].concat();
        let algorithm = match self {
            KeyPair::P256(_) => elliptic(der::P256),
            KeyPair::P384(_) => elliptic(der::P384),
            KeyPair::Ed25519(_) => der::der(der::ED25519),
            KeyPair::Rsa(_) => [der::der(der::RSA), value(tag::NULL, &[])].concat(),
        };
        sequence(&[value(tag::SEQUENCE, &algorithm), bit_string(self.public())])
    }

    /// The signature algorithm, as an `AlgorithmIdentifier` of a certificate.
    pub(super) fn algorithm(&self) -> Vec<u8> {
        sequence(&[match self {
            KeyPair::P256(_) => der::der(der::ECDSA_SHA256),
            KeyPair::P384(_) => der::der(der::ECDSA_SHA384),
            KeyPair::Ed25519(_) => der::der(der::ED25519),
            KeyPair::Rsa(_) => [der::der(der::RSA_SHA256), value(tag::NULL, &[])].concat(),
        }])
    }

    /// Whether the key can also be used for encryption.
    pub(super) fn encrypts(&self) -> bool {
        matches!(self, KeyPair::Rsa(_))
    }

    /// Signs these bytes.
    pub(super) fn sign(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let random = SystemRandom::new();
        let signed = match self {
            KeyPair::P256(pair) | KeyPair::P384(pair) => {
                pair.sign(&random, bytes).map(|signature| signature.as_ref().to_vec())
            }
            KeyPair::Ed25519(pair) => Ok(pair.sign(bytes).as_ref().to_vec()),
            KeyPair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                let signed = pair.sign(&signature::RSA_PKCS1_SHA256, &random, bytes, &mut signature);
                signed.map(|()| signature)
            }
        };
        signed.map_err(|_| Error::failed("cannot sign the certificate"))
    }
}

/// Whether `signature` over `bytes` was made with the public key in `info`. False for unknown algorithms.
pub(super) fn is_signed(info: &[u8], algorithm: &[u8], bytes: &[u8], signature: &[u8]) -> bool {
    let public = || {
        let mut fields = Reader(info).expect(tag::SEQUENCE)?.inside();
        let mut kind = fields.expect(tag::SEQUENCE)?.inside();
        let (number, curve) = (kind.expect(tag::OID)?.content, kind.any().map(|curve| curve.content));
        Some((number, curve, fields.expect(tag::BIT_STRING)?.bits()?))
    };
    let Some((kind, curve, public)) = public() else { return false };
    let scheme: &dyn signature::VerificationAlgorithm = match (algorithm, kind, curve) {
        (der::ED25519, der::ED25519, _) => &signature::ED25519,
        (der::ECDSA_SHA256, _, Some(der::P256)) => &signature::ECDSA_P256_SHA256_ASN1,
        (der::ECDSA_SHA256, _, Some(der::P384)) => &signature::ECDSA_P384_SHA256_ASN1,
        (der::ECDSA_SHA384, _, Some(der::P256)) => &signature::ECDSA_P256_SHA384_ASN1,
        (der::ECDSA_SHA384, _, Some(der::P384)) => &signature::ECDSA_P384_SHA384_ASN1,
        (der::RSA_SHA256, der::RSA, _) => &signature::RSA_PKCS1_2048_8192_SHA256,
        _ => return false,
    };
    signature::UnparsedPublicKey::new(scheme, public).verify(bytes, signature).is_ok()
}
