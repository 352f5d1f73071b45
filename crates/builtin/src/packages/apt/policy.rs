//! Parses the output of `apt-cache policy`.

use std::collections::HashMap;

use crate::packages::record::Offer;

/// The offers of packages; unknown packages are missing.
pub(super) fn parse(text: &str) -> HashMap<String, Offer> {
    let mut offers = HashMap::new();
    let mut current: Option<&mut Offer> = None;
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(':').filter(|name| !name.starts_with(' ')) {
            current = Some(offers.entry(name.to_owned()).or_default());
        } else if let Some(offer) = &mut current {
            read(line, offer);
        }
    }
    offers
}

/// A version is followed by its priority, and preceded by `***` if installed; its sources are indented further.
fn read(line: &str, offer: &mut Offer) {
    if let Some(candidate) = line.strip_prefix("  Candidate: ") {
        offer.candidate = (candidate != "(none)").then(|| candidate.to_owned());
    } else if let Some(version) = line.strip_prefix(" *** ").or_else(|| line.strip_prefix("     ")) {
        let version = version.split(' ').next().filter(|version| !version.is_empty());
        offer.versions.extend(version.map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
bash:
  Installed: 5.2.15-2+b8
  Candidate: 5.2.15-2+b13
  Version table:
     5.2.15-2+b13 500
        500 http://mirror.example/debian bookworm/main amd64 Packages
 *** 5.2.15-2+b8 100
        100 /var/lib/dpkg/status
libc6:i386:
  Installed: (none)
  Candidate: 2.36-9
  Version table:
     2.36-9 500
        500 file:/srv/repo ./ Packages
mail-transport-agent:
  Installed: (none)
  Candidate: (none)
  Version table:
";

    #[test]
    fn parses_offers() {
        let offers = parse(TEXT);
        let check = |name: &str, candidate: Option<&str>, versions: &[&str]| {
            let offer = &offers[name];
            assert_eq!(offer.candidate.as_deref(), candidate, "{name}");
            assert_eq!(offer.versions, versions, "{name}");
        };
        check("bash", Some("5.2.15-2+b13"), &["5.2.15-2+b13", "5.2.15-2+b8"]);
        check("libc6:i386", Some("2.36-9"), &["2.36-9"]);
        check("mail-transport-agent", None, &[]);
        assert_eq!(offers.len(), 3);
    }
}
