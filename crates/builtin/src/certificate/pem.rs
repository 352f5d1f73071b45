//! PEM: base64-encoded DER between two labelled lines.

use data_encoding::BASE64;

/// The line length that OpenSSL uses.
const WIDTH: usize = 64;

/// Encodes DER as PEM.
pub(super) fn write(label: &str, der: &[u8]) -> String {
    let text = BASE64.encode(der);
    let mut pem = format!("-----BEGIN {label}-----\n");
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, left) = rest.split_at(WIDTH.min(rest.len()));
        pem.push_str(line);
        pem.push('\n');
        rest = left;
    }
    pem.push_str(&format!("-----END {label}-----\n"));
    pem
}

/// The first block of a PEM text: its label and its DER.
pub(super) fn read(text: &str) -> Option<(&str, Vec<u8>)> {
    let (_, rest) = text.split_once("-----BEGIN ")?;
    let (label, rest) = rest.split_once("-----")?;
    let (body, _) = rest.split_once(&format!("-----END {label}-----"))?;
    let body: String = body.split_ascii_whitespace().collect();
    Some((label, BASE64.decode(body.as_bytes()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pem_round_trips() {
        for length in [0_u8, 1, 47, 48, 49, 200] {
            let der: Vec<u8> = (0..length).collect();
            let text = format!("# a comment\n{}", write("CERTIFICATE", &der));
            assert_eq!(read(&text), Some(("CERTIFICATE", der)), "{length}");
            assert!(text.lines().all(|line| line.len() <= WIDTH));
        }
        assert_eq!(read(""), None);
        assert_eq!(read("-----BEGIN X-----\nAAAA\n"), None);
        assert_eq!(read("-----BEGIN X-----\n!\n-----END X-----\n"), None);
    }
}
