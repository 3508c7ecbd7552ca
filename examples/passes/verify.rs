//! Verifies a team pass, with the crates `ring` and `data-encoding`.

use data_encoding::BASE64URL_NOPAD;
use ring::signature::{ED25519, UnparsedPublicKey};

/// Returns the team's handle if the pass is valid.
pub fn handle_of<'a>(
    public_key: &str,
    event: &str,
    challenge: &str,
    pass: &'a str,
) -> Option<&'a str> {
    let (handle, signature) = pass.strip_prefix("fp1.")?.split_once('.')?;
    let signed = format!("flagship-pass:1\n{event}\n{challenge}\n{handle}");
    let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).ok()?;
    let key = UnparsedPublicKey::new(&ED25519, BASE64URL_NOPAD.decode(public_key.as_bytes()).ok()?);
    key.verify(signed.as_bytes(), &signature).ok()?;
    Some(handle)
}
