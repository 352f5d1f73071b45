//! The kind `certificate`.

mod authority;
mod checks;
mod der;
mod found;
mod issuance;
mod key_pair;
mod oid;
mod pem;
mod request;
mod resource;
mod state;
mod subject;
mod x509;

pub use key_pair::KeyType;
pub use resource::{
    Certificate, CertificateChange, CertificateGoal, CertificateState, CertificateVerb, CertificateWishes,
};
