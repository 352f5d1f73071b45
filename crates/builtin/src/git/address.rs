//! The address of a repository, and the login that it may hold.

use uphold_resource::{Error, ErrorKind, Result};

/// Protocols that take a user and a password.
const WITH_LOGIN: [&str; 4] = ["http", "https", "ftp", "ftps"];

/// Shown in place of a login.
const HIDDEN: &str = "***";

/// Where a repository is. Its login is kept apart: every local user can read the arguments of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// The address without a login.
    pub(crate) url: String,
    pub(crate) login: Option<Login>,
}

/// User and password, and the server they are for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Login {
    /// Protocol and host: `https://example.org`.
    pub(crate) site: String,
    pub(crate) user: String,
    pub(crate) password: String,
}

/// Without the password.
impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("site", &self.site).finish_non_exhaustive()
    }
}

impl Address {
    /// # Errors
    /// If there is a password that git could only pass on as an argument, or that it cannot be told.
    pub(crate) fn parse(repository: &str) -> Result<Self> {
        let plain = || Self { url: repository.to_owned(), login: None };
        let Some((scheme, userinfo, rest)) = split(repository) else { return Ok(plain()) };
        if !WITH_LOGIN.contains(&scheme.to_ascii_lowercase().as_str()) {
            return match userinfo.contains(':') {
                true => {
                    let what = format!("`repository` holds a password, which {scheme} cannot use");
                    Err(Error::new(ErrorKind::Invalid, what).hint("use a key: see `ssh_key`"))
                }
                false => Ok(plain()),
            };
        }
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
        let (Some(user), Some(password)) = (decoded(user), decoded(password)) else {
            let what = "the user or the password in `repository` is not text on one line";
            return Err(Error::new(ErrorKind::Invalid, what));
        };
        let login = Login { site: format!("{scheme}://{host}"), user, password };
        Ok(Self { url: format!("{scheme}://{rest}"), login: Some(login) })
    }

    /// The wish `wanted`, if the checkout has its address as `stored`; else what is stored, without its login.
    ///
    /// A stored login always counts as a difference: others can read the checkout's configuration.
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

/// Scheme, login and the rest of a URL that holds a login.
fn split(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let at = rest[..end].rfind('@')?;
    Some((scheme, &rest[..at], &rest[at + 1..]))
}

/// The text behind a percent-encoding; none if git could not be told it.
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
    fn logins_are_kept_apart() {
        let check = |repository: &str, url: &str, login: Option<(&str, &str, &str)>| {
            let address = Address::parse(repository).expect("it is an address");
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
    fn passwords_that_cannot_be_hidden_are_refused() {
        let check = |repository: &str, expected: &str| {
            let error = Address::parse(repository).expect_err("it is refused");
            assert!(
                error.to_string().contains(expected) && !error.to_string().contains("hunter2"),
                "{error}"
            );
        };
        check("ssh://git:hunter2@example.org/x.git", "which ssh cannot use");
        check("https://git:hunter2%0a@example.org/x.git", "not text on one line");
    }

    #[test]
    fn stored_logins_are_differences() {
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
