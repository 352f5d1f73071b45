//! The address of a repository, with its credentials.

use uphold_resource::{Error, ErrorKind, Result};

/// The protocols that use a user and a password.
const WITH_LOGIN: [&str; 4] = ["http", "https", "ftp", "ftps"];

/// Shown in place of credentials.
const HIDDEN: &str = "***";

/// The address of a repository. Credentials are kept apart, because every local user can read the arguments of a
/// process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The address without credentials.
    pub(crate) url: String,
    pub(crate) login: Option<Login>,
}

/// User and password for a server.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Login {
    /// Protocol and host: `https://example.org`.
    pub(crate) site: String,
    pub(crate) user: String,
    pub(crate) password: String,
}

/// Omits user and password.
impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("site", &self.site).finish_non_exhaustive()
    }
}

impl Address {
    /// # Errors
    /// If there is a password that git could only receive as an argument, or cannot use at all.
    pub(crate) fn parse(repository: &str) -> Result<Self> {
        let plain = || Self { url: repository.to_owned(), login: None };
        let Some((scheme, userinfo, rest)) = split(repository) else { return Ok(plain()) };
        if !WITH_LOGIN.contains(&scheme.to_ascii_lowercase().as_str()) {
            if !userinfo.contains(':') {
                return Ok(plain());
            }
            let what = format!("the address contains a password, which {scheme} cannot use");
            return Err(Error::new(ErrorKind::Invalid, what).hint("use an SSH key: see `ssh_key`"));
        }
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
        let (Some(user), Some(password)) = (decoded(user), decoded(password)) else {
            let what = "the user or the password in the address is not a single line of text";
            return Err(Error::new(ErrorKind::Invalid, what));
        };
        let login = Login { site: format!("{scheme}://{host}"), user, password };
        Ok(Self { url: format!("{scheme}://{rest}"), login: Some(login) })
    }

    /// The declared address `wanted`, if the checkout has it as `stored`; otherwise the stored one, without
    /// credentials.
    ///
    /// Stored credentials always count as a difference: others can read the checkout's configuration.
    pub(crate) fn seen(stored: &str, wanted: &str) -> String {
        let login = split(stored).filter(|(scheme, ..)| WITH_LOGIN.contains(scheme));
        if let Some((scheme, _, rest)) = login {
            return format!("{scheme}://{HIDDEN}@{rest}");
        }
        match Self::parse(wanted) {
            Ok(address) if address.url == stored => wanted.to_owned(),
            _ => stored.to_owned(),
        }
    }
}

/// Scheme, credentials and the rest of a URL that has credentials.
fn split(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let at = rest[..end].rfind('@')?;
    Some((scheme, &rest[..at], &rest[at + 1..]))
}

/// Decodes a percent-encoded string; none if git cannot use the result.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.filter(|_| first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separates_credentials() {
        let check = |repository: &str, url: &str, login: Option<(&str, &str, &str)>| {
            let address = Address::parse(repository).expect("a valid address");
            assert_eq!(address.url, url);
            let found = address.login.as_ref();
            let found = found.map(|it| (it.site.as_str(), it.user.as_str(), it.password.as_str()));
            assert_eq!(found, login, "{repository}");
        };
        let site = "https://example.org";
        check(
            "https://ada:se%40cret@example.org/x.git",
            "https://example.org/x.git",
            Some((site, "ada", "se@cret")),
        );
        check("https://token@example.org/x.git", "https://example.org/x.git", Some((site, "token", "")));
        check("http://a:b@h:8080", "http://h:8080", Some(("http://h:8080", "a", "b")));
        for plain in
            ["https://example.org/@x.git", "ssh://git@example.org/x.git", "git@example.org:x.git", "/srv/x@y"]
        {
            check(plain, plain, None);
        }
    }

    #[test]
    fn refuses_passwords_that_cannot_be_hidden() {
        let check = |repository: &str, expected: &str| {
            let error = Address::parse(repository).expect_err("it is refused");
            assert!(
                error.to_string().contains(expected) && !error.to_string().contains("hunter2"),
                "{error}"
            );
        };
        check("ssh://git:hunter2@example.org/x.git", "which ssh cannot use");
        check("https://git:hunter2%0a@example.org/x.git", "not a single line of text");
    }

    #[test]
    fn stored_credentials_are_differences() {
        let check = |stored: &str, wanted: &str, expected: &str| {
            assert_eq!(Address::seen(stored, wanted), expected, "{stored}, {wanted}");
        };
        check("https://h/x", "https://a:hunter2@h/x", "https://a:hunter2@h/x");
        check("https://h/x", "https://h/x", "https://h/x");
        check("https://h/y", "https://a:hunter2@h/x", "https://h/y");
        check("https://a:hunter2@h/x", "https://a:hunter2@h/x", "https://***@h/x");
        check("https://a:hunter2@h/x", "https://h/x", "https://***@h/x");
        check("ssh://git@h/x", "ssh://git@h/x", "ssh://git@h/x");
    }
}
