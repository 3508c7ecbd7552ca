//! Uploaded files among the values of `[site]`.

use flagship_pack::{FILE_BYTES_MAX, FILES_BYTES_MAX, SPONSORS_MAX, Site, uploaded_file};

use crate::prelude::*;

/// Replaces the digests of uploaded files by their descriptions. Returns the digests.
pub async fn describe_all(
    desk: &Desk,
    values: &mut Map<String, Value>,
) -> Result<Vec<String>, Rejection> {
    let mut digests = Vec::new();
    for (key, value) in values.iter_mut() {
        match (key.as_str(), value) {
            ("sponsors", Value::Array(sponsors)) if sponsors.len() <= SPONSORS_MAX => {
                for logo in sponsors.iter_mut().filter_map(|it| it.get_mut("logo")) {
                    digests.extend(describe(desk, "logo", logo).await?);
                }
            }
            (key, value) => digests.extend(describe(desk, key, value).await?),
        }
    }
    Ok(digests)
}

/// Only an object is an upload. It can be a description as shown in the settings, which has more
/// members than the digest.
async fn describe(desk: &Desk, key: &str, value: &mut Value) -> Result<Option<String>, Rejection> {
    let Value::Object(members) = &*value else { return Ok(None) };
    let file = members.get("file").and_then(Value::as_object).unwrap_or(members);
    let digest = file.get("digest").and_then(Value::as_str).ok_or(ArgumentError::Shape)?;
    let digest = digest.to_owned();
    let claimed = desk.files.claim(&digest, desk.now_ms).await?.ok_or(ArgumentError::NoFile)?;
    if claimed.bytes > FILE_BYTES_MAX {
        let kib_max = FILE_BYTES_MAX / 1024;
        return Err(Rejection::setting(format!("`{key}` is larger than {kib_max} KiB")));
    }
    let bytes = desk.files.bytes(&digest).await?.ok_or(ArgumentError::NoFile)?;
    *value = uploaded_file(key, &digest, &bytes).map_err(Rejection::setting)?;
    Ok(Some(digest))
}

/// Rejects files that exceed the total size limit, because nodes keep them in memory.
pub async fn check_size(desk: &Desk, site: &Site) -> Result<(), Rejection> {
    let mut bytes = 0;
    for file in site.files() {
        let claimed = desk.files.claim(&file.digest, desk.now_ms).await?;
        bytes += claimed.map_or(0, |claimed| claimed.bytes);
    }
    if bytes > FILES_BYTES_MAX {
        let mib_max = FILES_BYTES_MAX / (1024 * 1024);
        let message = format!("the branding files exceed {mib_max} MiB in total");
        return Err(Rejection::setting(message));
    }
    Ok(())
}
