//! Detects password hashes of other programs in a password column.

/// Minimum length of a hash. A shorter text is a password that starts like a hash.
const HASH_CHARS_MIN: usize = 20;

/// Prefixes of hashes with the names of their kinds. The first match wins.
const KINDS: [(&str, &str); 34] = [
    // Modular crypt formats of passlib, which CTFd also stores.
    ("$bcrypt-sha256$", "bcrypt-sha256"),
    ("$2a$", "bcrypt"),
    ("$2b$", "bcrypt"),
    ("$2x$", "bcrypt"),
    ("$2y$", "bcrypt"),
    ("$2$", "bcrypt"),
    ("$argon2", "argon2"),
    ("$pbkdf2", "pbkdf2"),
    ("$scrypt$", "scrypt"),
    ("$7$", "scrypt"),
    ("$y$", "yescrypt"),
    ("$gy$", "yescrypt"),
    ("$1$", "MD5 crypt"),
    ("$apr1$", "MD5 crypt"),
    ("$5$", "SHA-256 crypt"),
    ("$5$rounds=", "SHA-256 crypt"),
    ("$6$", "SHA-512 crypt"),
    ("$sha1$", "SHA-1 crypt"),
    ("$P$", "phpass"),
    ("$H$", "phpass"),
    // Werkzeug.
    ("pbkdf2:", "pbkdf2"),
    ("scrypt:", "scrypt"),
    // Django.
    ("pbkdf2_sha256$", "pbkdf2"),
    ("pbkdf2_sha1$", "pbkdf2"),
    ("bcrypt_sha256$", "bcrypt-sha256"),
    ("bcrypt$", "bcrypt"),
    ("argon2$", "argon2"),
    ("scrypt$", "scrypt"),
    // LDAP.
    ("{SSHA", "SSHA"),
    ("{SHA", "SHA"),
    ("{SMD5}", "SMD5"),
    ("{CRYPT}", "crypt"),
    ("{PBKDF2", "pbkdf2"),
    ("{ARGON2}", "argon2"),
];

/// Kind of a password hash; `None` if the text is not a hash.
pub fn kind(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let is_long = text.chars().nth(HASH_CHARS_MIN - 1).is_some();
    let is_one_word = !text.contains(char::is_whitespace);
    let found = KINDS.iter().find(|(begin, _)| text.starts_with(begin));
    found.filter(|_| is_long && is_one_word).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_other_programs_are_told_from_passwords() {
        for (text, found) in [
            ("$2b$12$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghijk", Some("bcrypt")),
            ("$2y$10$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghijk", Some("bcrypt")),
            (
                "$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2QlB",
                Some("bcrypt-sha256"),
            ),
            ("$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA", Some("argon2")),
            ("$argon2i$v=19$m=512,t=2,p=2$c2FsdHNhbHQ$aGFzaA", Some("argon2")),
            ("$pbkdf2-sha256$29000$c2FsdA$aGFzaGhhc2g", Some("pbkdf2")),
            ("$pbkdf2$131000$c2FsdA$aGFzaGhhc2g", Some("pbkdf2")),
            ("pbkdf2:sha256:260000$c2FsdA$0123abcd", Some("pbkdf2")),
            ("scrypt:32768:8:1$salt$0123456789", Some("scrypt")),
            ("pbkdf2_sha256$870000$salt$aGFzaA=", Some("pbkdf2")),
            ("$6$rounds=5000$salt$aGFzaGhhc2g", Some("SHA-512 crypt")),
            ("{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3", Some("SSHA")),
            ("$2b$ is how it begins, I think", None),
            ("$6$ short", None),
            ("correct horse battery", None),
            ("scrypt: a long pass phrase", None),
            ("", None),
            ("9f86d081884c7d659a2feaa0c55ad015", None),
        ] {
            assert_eq!(kind(text), found, "{text}");
        }
    }
}
