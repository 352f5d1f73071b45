//! A certificate with its key.

use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Act, Described, Error, ErrorKind, GroupName, Interest, Mode, Reading, Resource, Result,
    Seen, Step, UserName, Verbs, Want, Watching,
};

use super::authority::Authority;
use super::checks::{are_hosts, is_name, is_true};
use super::found;
use super::issuance::DAY;
use super::key_pair::KeyType;
use super::subject::{Parts, are_parts};
use crate::edits::Aliases;
use crate::{ownership, parent};

/// How often a watch looks whether it is time to renew.
const LOOK: Duration = Duration::from_secs(3600);

/// A certificate and its private key, signed by itself or by another certificate.
///
/// The key is made once, and kept; one that is there already is used, RSA keys too. The certificate is issued anew when
/// what it says differs from what is declared, when it does not belong to the key, when another has signed it than is
/// declared, and in time before it ends. A file at its path that is no certificate is replaced; one at the path of the key
/// that is no key is an error.
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
    verbs(renew = "Issue it anew, whatever is there; the key stays.")
)]
pub struct Certificate {
    /// Where the certificate is; the block's label unless set.
    #[also("certificate", "dest")]
    #[name]
    pub path: AbsolutePath,
    /// Where its private key is.
    #[also("key_file", "privatekey_path", "private_key")]
    #[identity]
    pub key: AbsolutePath,
    /// Whom it is for: the name of a host, or of an authority.
    #[check(is_name, "must be text of 64 characters at most")]
    #[required]
    pub common_name: Want<String>,
    /// Other parts of the name of its owner: `O`, `OU`, `C`, `ST`, `L`, `emailAddress`. One that is there keeps its own
    /// unless this is set.
    #[check(are_parts, "must be parts of a name: O, OU, C (two letters), ST, L, emailAddress")]
    pub subject: Want<Parts>,
    /// All names of hosts and addresses that it is good for, in any order. A new one that is not for an authority has
    /// the common name, if that is one; one that is there keeps its own unless this is set.
    #[also("subject_alt_name", "alt_names", "dns_names", "san")]
    #[check(are_hosts, "must be names of hosts, also with `*.` before them, or addresses")]
    pub names: Want<Aliases>,
    /// Whether it may sign others.
    #[on_create(false)]
    pub is_ca: Want<bool>,
    /// The certificate that signs it; itself unless set.
    #[also("ca", "ca_cert_file", "ca_cert", "ownca_path")]
    pub signed_by: Option<AbsolutePath>,
    /// The private key of `signed_by`.
    #[also("ca_key_file", "ca_key", "ownca_privatekey_path")]
    pub signing_key: Option<AbsolutePath>,
    /// For how many days a new one is good; never longer than who signs it.
    #[also("expire", "valid_for")]
    #[default(365_u32)]
    #[range(1..=36500)]
    pub days: u32,
    /// It is issued anew when no more time than this is left.
    #[also("renew_before_expiry")]
    #[default("30d")]
    pub renew_before: Duration,
    /// What a new key is: `p256`, `p384` or `ed25519`. One that is there is kept.
    #[also("key_curve", "algorithm")]
    #[default(KeyType::P256)]
    pub key_type: KeyType,
    /// Whether it is good: it belongs to its key, was signed by who should, and more than `renew_before` is left. This is
    /// always held.
    #[check(is_true, "can only be true: it is what is held")]
    #[enforce(true)]
    pub valid: Want<bool>,
    /// Permission bits of the certificate. One that is there keeps its own unless this is set.
    #[on_create("0644")]
    pub mode: Want<Mode>,
    /// Permission bits of the key.
    #[enforce("0600")]
    pub key_mode: Want<Mode>,
    /// Owner of both files.
    #[also("user")]
    pub owner: Want<UserName>,
    /// Group of both files.
    pub group: Want<GroupName>,
    /// When it ends, in UTC; null if there is no certificate.
    pub not_after: Seen<Option<String>>,
    /// Its SHA-256 fingerprint, in hexadecimal; null if there is no certificate.
    pub fingerprint: Seen<Option<String>>,
    /// The certificate itself, as text.
    pub pem: Seen<String>,
}

impl Certificate {
    /// Who signs it; none if it does so itself.
    pub(super) fn authority(&self) -> Option<Authority<'_>> {
        let (certificate, key) = self.signed_by.as_ref().zip(self.signing_key.as_ref())?;
        Some(Authority { certificate, key })
    }
}

impl Watching for Certificate {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Interval(LOOK));
    }
}

impl Verbs for Certificate {
    type Verb = CertificateVerb;

    fn run(&self, verb: CertificateVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            CertificateVerb::Renew => {
                let current = self.load(host)?;
                self.issue(&self.goal(current.as_ref()), host)
            }
        }
    }
}

impl Resource for Certificate {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if DAY * self.days <= self.renew_before {
            let what = format!("{} would be renewed again and again", self.path);
            let hint = "make `days` longer than `renew_before`, which is 30 days unless set";
            return Err(Error::new(ErrorKind::Invalid, what).hint(hint));
        }
        ownership::must_exist(&self.owner, &self.group, host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<CertificateState>> {
        found::certificate(&self.path, host)?.map(|file| self.state(file, host)).transpose()
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(&self.path, host)?;
        parent::check(&self.key, host)
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
}
