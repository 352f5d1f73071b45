//! The kind `certificate`.

mod der;
mod issuance;
mod key_pair;
mod state;
mod subject;
mod x509;

use std::path::Path;
use std::time::Duration;

use issuance::{DAY, are_hosts, is_name, is_true};
use key_pair::KeyPair;
use subject::{Parts, are_parts};
use uphold_kit::ownership::Ownership;
use uphold_kit::parent;
use uphold_resource::{
    AbsolutePath, Act, Desired, Error, ErrorKind, Found, Interest, Look, Mode, Previous, Problem, Properties,
    Reading, Resource, Result, Seen, Step, Verbs, Want, Watching,
};
use x509::X509;

use super::edits::Aliases;

pub use key_pair::KeyType;

/// How often a watch checks whether the certificate is due for renewal.
const CHECK_INTERVAL: Duration = Duration::from_secs(3600);

/// An X.509 certificate and its private key, self-signed or signed by another certificate.
///
/// The key is generated once and kept; an existing key is used, also an RSA key. A new certificate is issued when
/// the existing one differs from the declaration, does not match the key, was signed by another certificate, or is
/// due for renewal. A file at `path` that is not a certificate is replaced; a file at `key` that is not a key is an
/// error.
///
/// Removing it removes the certificate and the key.
///
/// ```hcl
/// certificate "/etc/ssl/ca.crt" {
///   key         = "/etc/ssl/ca.key"
///   common_name = "Example CA"
///   is_ca       = true
///   days        = 3650
/// }
///
/// certificate "/etc/ssl/web.crt" {
///   key         = "/etc/ssl/web.key"
///   common_name = "www.example.org"
///   names       = ["www.example.org", "example.org", "192.0.2.7"]
///   signed_by   = "/etc/ssl/ca.crt"
///   signing_key = "/etc/ssl/ca.key"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "certificate",
    also("x509_certificate", "openssl_x509_certificate"),
    interests,
    together(signed_by, signing_key),
    verbs(renew = "Issue a new certificate now. The key is kept.")
)]
pub struct Certificate {
    /// Path of the certificate; defaults to the block's label.
    #[also("certificate", "dest")]
    #[name]
    pub path: AbsolutePath,
    /// Path of the private key.
    #[also("key_file", "privatekey_path", "private_key")]
    #[identity]
    pub key: AbsolutePath,
    /// Common name (CN): the name of the host or authority that it is for.
    #[check(is_name, "must have at most 64 characters")]
    #[required]
    pub common_name: Want<String>,
    /// Other components of the subject: `O`, `OU`, `C`, `ST`, `L`, `emailAddress`. If it is not set, an existing
    /// certificate keeps its own.
    #[check(are_parts, "must have only the keys O, OU, C (two letters), ST, L and emailAddress")]
    pub subject: Want<Parts>,
    /// Subject alternative names: host names and IP addresses, in any order. If it is not set, an existing
    /// certificate keeps its own, and a new one gets the common name if that is a host name and `is_ca` is false.
    #[also("subject_alt_name", "alt_names", "dns_names", "san")]
    #[check(are_hosts, "must be host names, optionally beginning with `*.`, or IP addresses")]
    pub names: Want<Aliases>,
    /// Whether it is a certificate authority that can sign other certificates.
    #[on_create(false)]
    pub is_ca: Want<bool>,
    /// Path of the certificate that signs it. If it is not set, it is self-signed.
    #[also("ca", "ca_cert_file", "ca_cert", "ownca_path")]
    pub signed_by: Option<AbsolutePath>,
    /// Path of the private key of `signed_by`.
    #[also("ca_key_file", "ca_key", "ownca_privatekey_path")]
    pub signing_key: Option<AbsolutePath>,
    /// Validity of a new certificate, in days; at most until the signing certificate expires.
    #[also("expire", "valid_for")]
    #[default(365_u32)]
    #[range(1..=36500)]
    pub days: u32,
    /// Renew the certificate when less than this time is left.
    #[also("renew_before_expiry")]
    #[default("30d")]
    pub renew_before: Duration,
    /// Type of a new key: `p256`, `p384` or `ed25519`. An existing key is kept.
    #[also("key_curve", "algorithm")]
    #[default(KeyType::P256)]
    pub key_type: KeyType,
    /// Whether the certificate matches its key, was signed by the right certificate, and has more than
    /// `renew_before` left. Always managed.
    #[check(is_true, "can only be true")]
    #[enforce(true)]
    pub valid: Want<bool>,
    /// Mode of the certificate file. If it is not set, an existing file keeps its own.
    #[on_create("0644")]
    pub mode: Want<Mode>,
    /// Mode of the key file.
    #[enforce("0600")]
    pub key_mode: Want<Mode>,
    /// Owner and group of both files.
    #[flatten(state, doc(owner = "Owner of both files.", group = "Group of both files."))]
    pub ownership: Ownership,
    /// Expiry time in UTC; null if there is no certificate.
    pub not_after: Seen<Option<String>>,
    /// SHA-256 fingerprint in hexadecimal; null if there is no certificate.
    pub fingerprint: Seen<Option<String>>,
    /// The certificate in PEM format.
    pub pem: Seen<String>,
}

impl Certificate {
    /// The signing authority; none for a self-signed certificate.
    fn authority(&self) -> Option<Authority<'_>> {
        let (certificate, key) = self.signed_by.as_ref().zip(self.signing_key.as_ref())?;
        Some(Authority { certificate, key })
    }
}

impl Watching for Certificate {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Interval(CHECK_INTERVAL));
    }
}

impl Verbs for Certificate {
    type Verb = CertificateVerb;

    fn run(&self, verb: CertificateVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            CertificateVerb::Renew => {
                let current = self.load(&Look::to(Desired::Present, host))?.state()?;
                self.issue(&self.goal(current.as_ref()), host)
            }
        }
    }
}

impl Resource for Certificate {
    fn validate(&self) -> Result<(), Problem> {
        if DAY * self.days > self.renew_before {
            return Ok(());
        }
        let rule = "is so short that the certificate would be due for renewal as soon as it is issued";
        let fix = "set `days` to more than `renew_before`, which defaults to 30 days";
        Err(Problem::new(None, rule, fix).inside("days"))
    }

    fn prepare(&self, look: &Look<'_>) -> Result<CertificateWishes> {
        self.ownership.must_exist(look)?;
        Ok(CertificateWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(file) = state::certificate(&self.path, look)? else { return Ok(Found::Absent) };
        self.state(file, look).map(Found::This)
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path, look)?;
        parent::check(&self.key, look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.issue(goal, host),
            Step::Update { goal, change, .. } => self.update(goal, change, host),
            Step::Remove { .. } => {
                if host.files().look(&self.key)?.is_some() {
                    host.edits().remove_file(&self.key)?;
                }
                host.edits().remove_file(&self.path)
            }
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Create { .. } => Previous::none("its key may be older than the certificate"),
            Step::Update { change, .. } if !issuance::is_replaced(change) => Previous::without(&["valid"]),
            _ => Previous::none("the previous certificate and key are not kept"),
        }
    }
}

// The certificate authority that signs a certificate.

/// The paths of the authority's certificate and key.
#[derive(Clone, Copy)]
struct Authority<'a> {
    certificate: &'a AbsolutePath,
    key: &'a AbsolutePath,
}

impl Authority<'_> {
    /// The authority's certificate; none if it does not exist yet.
    ///
    /// # Errors
    /// If the file is not a certificate.
    fn look(self, host: &Reading<'_>) -> Result<Option<X509>> {
        if host.files().look(self.certificate)?.is_none() {
            return Ok(None);
        }
        let content = host.files().read(self.certificate, 0)?;
        let found = X509::read(&String::from_utf8_lossy(&content));
        found.map(Some).ok_or_else(|| {
            let what = format!("{} is not a certificate", self.certificate);
            Error::new(ErrorKind::Invalid, what)
                .hint("set `signed_by` to the path of a certificate in PEM format")
        })
    }

    /// The authority's certificate and key, for signing.
    fn take(self, host: &Act<'_>) -> Result<(X509, KeyPair)> {
        let missing = |path: &Path| {
            let what = format!("{} does not exist", host.shown(path).display());
            Error::new(ErrorKind::Missing, what)
                .hint("declare the signing certificate as a `certificate`, or correct `signed_by` and `signing_key`")
        };
        let certificate = self.look(host)?.ok_or_else(|| missing(self.certificate))?;
        if !certificate.is_ca {
            let what = format!(
                "{} is not a certificate authority and cannot sign other certificates",
                self.certificate
            );
            return Err(Error::new(ErrorKind::Invalid, what)
                .hint("set `is_ca = true` in the block of that certificate"));
        }
        if host.files().look(self.key)?.is_none() {
            return Err(missing(self.key));
        }
        let key = KeyPair::read(&String::from_utf8_lossy(&host.files().read(self.key, 0)?))
            .map_err(|error| error.while_(format!("cannot sign with the key {}", self.key)))?;
        if key.public_info() == certificate.public_info {
            return Ok((certificate, key));
        }
        let what = format!("{} is not the key of {}", self.key, self.certificate);
        Err(Error::new(ErrorKind::Invalid, what)
            .hint("set `signing_key` to the key of the certificate `signed_by`"))
    }
}
