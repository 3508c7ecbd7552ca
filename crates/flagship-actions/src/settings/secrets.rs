//! Secret settings: the password of the mail server and the secret of the captcha.

use std::collections::BTreeMap;

use flagship_game::Secret;

use crate::prelude::*;

/// Name of the mail server's password among the stored secrets.
pub const SMTP_PASSWORD: &str = "smtp_password";
/// Name of the captcha's secret among the stored secrets.
pub const CAPTCHA_SECRET: &str = "captcha_secret";
/// Maximum length of a secret, in bytes.
const SECRET_BYTES_MAX: usize = 1_000;

/// Stored secrets by name.
pub type Secrets = BTreeMap<String, Secret>;

/// A settings key whose value is secret.
pub struct SecretKey {
    /// Section of the key.
    pub section: &'static str,
    /// The key.
    pub key: &'static str,
    /// Name of the stored secret.
    pub name: &'static str,
}

/// All secret settings keys.
pub const SECRETS: [SecretKey; 2] = [
    SecretKey { section: "mail", key: "password", name: SMTP_PASSWORD },
    SecretKey { section: "captcha", key: "secret", name: CAPTCHA_SECRET },
];

/// A new value of a secret.
pub struct NewSecret {
    /// Name of the stored secret.
    pub name: &'static str,
    /// The value; `None` removes the secret.
    pub secret: Option<Secret>,
}

impl NewSecret {
    /// Applies new values to stored secrets.
    pub fn apply_all(new: &[Self], secrets: &mut Secrets) {
        for Self { name, secret } in new {
            match secret {
                Some(secret) => drop(secrets.insert((*name).to_owned(), secret.clone())),
                None => drop(secrets.remove(*name)),
            }
        }
    }
}

/// Removes the secrets from the values of a section and returns them. A null or empty value removes
/// the stored secret.
pub fn take_secrets(
    section: &str,
    values: &mut Map<String, Value>,
) -> Result<Vec<NewSecret>, Rejection> {
    let mut secrets = Vec::new();
    for SecretKey { key, name, .. } in SECRETS.into_iter().filter(|it| it.section == section) {
        let secret = match values.remove(key) {
            None => continue,
            Some(Value::Null) => None,
            Some(Value::String(text)) if text.len() <= SECRET_BYTES_MAX => {
                (!text.is_empty()).then(|| Secret::new(text))
            }
            Some(_) => return Err(Rejection::setting(format!("`{key}` must be a string"))),
        };
        secrets.push(NewSecret { name, secret });
    }
    Ok(secrets)
}
