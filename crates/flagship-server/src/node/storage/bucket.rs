//! Files in a bucket of an S3-compatible server. Its keys come from the `AWS_*` variables and are
//! removed from errors.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use flagship_game::challenge::is_digest;
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStore, ObjectStoreExt, RetryConfig};
use tokio::sync::Semaphore;

use super::hashing_reader::HashingReader;
use super::location::BucketUrl;

/// Folder of the files in the bucket, or below its prefix.
const FILES: &str = "files";
/// Name of the object that a check writes and deletes.
const CHECK: &str = "check";
/// Size of the parts of a larger file, in bytes. An upload holds one part in memory.
const PART_BYTES: u64 = 8 * 1024 * 1024;
/// Maximum repetitions of a failed request, and the time after which none begins.
const RETRIES_MAX: usize = 3;
const RETRY_MAX: Duration = Duration::from_secs(15);
/// Maximum pieces that a node reads at the same time; further downloads wait. The buffers of a
/// connection are several times the size of a piece.
const READS_MAX: usize = 24;
/// Maximum length of the server's message in an error, in characters.
const MESSAGE_CHARS_MAX: usize = 300;
/// Variables that can replace the two keys.
const OTHER_KEYS: [&str; 3] = [
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/// A bucket.
#[derive(Clone)]
pub struct Bucket {
    store: Arc<AmazonS3>,
    /// Folder of the files in the bucket, below the prefix of the URL.
    files: Path,
    /// Keys, which errors must not contain.
    keys: Arc<[String]>,
    reads: Arc<Semaphore>,
}

impl Bucket {
    /// Creates the client of a bucket, with keys from the environment; sends nothing.
    pub fn new(url: &BucketUrl) -> Result<Self, String> {
        Self::with(AmazonS3Builder::from_env(), url)
    }

    /// Creates the client of a bucket with the keys of a builder.
    pub(super) fn with(builder: AmazonS3Builder, url: &BucketUrl) -> Result<Self, String> {
        let builder = builder.with_bucket_name(&url.name);
        let key = |key: AmazonS3ConfigKey| builder.get_config_value(&key);
        let id = key(AmazonS3ConfigKey::AccessKeyId);
        let secret = key(AmazonS3ConfigKey::SecretAccessKey);
        let has_other = OTHER_KEYS.iter().any(|name| std::env::var_os(name).is_some());
        if (id.is_none() || secret.is_none()) && !has_other {
            return Err(format!(
                "the bucket `{}` needs its keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY \
                 in the environment",
                url.name
            ));
        }
        let keys = [id, secret, key(AmazonS3ConfigKey::Token)];
        let keys: Vec<String> = keys.into_iter().flatten().filter(|it| !it.is_empty()).collect();
        let retry = RetryConfig {
            max_retries: RETRIES_MAX,
            retry_timeout: RETRY_MAX,
            ..RetryConfig::default()
        };
        // Not every server can delete several objects in one request.
        let mut builder = builder.with_retry(retry).with_disable_bulk_delete(true);
        if let Some(endpoint) = &url.endpoint {
            builder =
                builder.with_endpoint(endpoint).with_allow_http(endpoint.starts_with("http://"));
        }
        if let Some(region) = &url.region {
            builder = builder.with_region(region);
        }
        let store = builder.build().map_err(|error| hidden(&error.to_string(), &keys))?;
        let prefix = url.prefix.split('/').filter(|part| !part.is_empty());
        let files = Path::from_iter(prefix.chain([FILES]));
        let reads = Arc::new(Semaphore::new(READS_MAX));
        Ok(Self { store: Arc::new(store), files, keys: keys.into(), reads })
    }

    /// Returns the size of a file, in bytes.
    pub async fn bytes(&self, digest: &str) -> io::Result<Option<u64>> {
        match self.store.head(&self.path_of(digest)).await {
            Ok(about) => Ok(Some(about.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failure(error)),
        }
    }

    /// Returns the bytes of a file from `from` to before `until`.
    pub async fn piece(&self, digest: &str, from: u64, until: u64) -> io::Result<Bytes> {
        let _turn = self.reads.acquire().await.map_err(io::Error::other)?;
        let piece = self.store.get_range(&self.path_of(digest), from..until).await;
        piece.map_err(|error| self.failure(error))
    }

    /// Returns the digests and sizes of all files.
    pub async fn list(&self) -> io::Result<Vec<(String, u64)>> {
        let mut listed = self.store.list(Some(&self.files));
        let mut files = Vec::new();
        while let Some(about) = listed.try_next().await.map_err(|error| self.failure(error))? {
            let Some(name) = about.location.filename().filter(|name| is_digest(name)) else {
                continue;
            };
            // A folder inside this one can be the prefix of another event.
            if about.location == self.path_of(name) {
                files.push((name.to_owned(), about.size));
            }
        }
        files.sort();
        Ok(files)
    }

    /// Stores a file of `bytes` bytes. It appears when it is complete.
    pub async fn put(
        &self,
        digest: &str,
        source: &mut HashingReader,
        bytes: u64,
    ) -> io::Result<()> {
        let path = self.path_of(digest);
        if bytes <= PART_BYTES {
            let content = source.next(PART_BYTES).await?;
            source.check().await?;
            let put = self.store.put(&path, content.into()).await;
            return put.map(drop).map_err(|error| self.failure(error));
        }
        let upload = self.store.put_multipart(&path).await;
        let mut upload = upload.map_err(|error| self.failure(error))?;
        let put = self.put_parts(upload.as_mut(), source).await;
        let put = match put {
            Ok(()) => upload.complete().await.map(drop).map_err(|error| self.failure(error)),
            Err(error) => Err(error),
        };
        if put.is_err() {
            // The server may keep parts of an upload that is neither completed nor aborted.
            upload.abort().await.ok();
        }
        put
    }

    async fn put_parts(
        &self,
        upload: &mut dyn MultipartUpload,
        source: &mut HashingReader,
    ) -> io::Result<()> {
        loop {
            let part = source.next(PART_BYTES).await?;
            if part.is_empty() {
                return source.check().await;
            }
            let put = upload.put_part(part.into()).await;
            put.map_err(|error| self.failure(error))?;
        }
    }

    /// Removes a file. Does nothing if there is none.
    pub async fn remove(&self, digest: &str) -> io::Result<()> {
        match self.store.delete(&self.path_of(digest)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.failure(error)),
        }
    }

    /// Writes a small object and deletes it.
    pub async fn check(&self) -> io::Result<()> {
        let path = self.path_of(CHECK);
        let put = self.store.put(&path, CHECK.into()).await;
        put.map_err(|error| self.failure(error))?;
        self.store.delete(&path).await.map_err(|error| self.failure(error))
    }

    fn path_of(&self, name: &str) -> Path {
        self.files.clone().join(name)
    }

    /// Returns an error without keys. The library repeats the server's answer, which can contain
    /// the ID of the key.
    fn failure(&self, error: object_store::Error) -> io::Error {
        use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
        let why = match &error {
            NotFound { .. } => {
                let why = "the bucket or the object does not exist";
                return io::Error::new(io::ErrorKind::NotFound, why);
            }
            Unauthenticated { .. } => "the server rejects the keys: check AWS_ACCESS_KEY_ID and \
                                       AWS_SECRET_ACCESS_KEY"
                .to_owned(),
            PermissionDenied { .. } => {
                let text = hidden(&error.to_string(), &self.keys);
                format!("the keys are wrong or lack a permission: {text}")
            }
            error => hidden(&error.to_string(), &self.keys),
        };
        io::Error::other(why)
    }
}

/// Returns a text without keys, in one line of limited length.
fn hidden(text: &str, keys: &[String]) -> String {
    let text = keys.iter().fold(text.to_owned(), |text, key| text.replace(key, "[key]"));
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MESSAGE_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_contain_no_keys() {
        let keys = ["AKIA123".to_owned(), "wJalr".to_owned()];
        let text = format!("<Key>AKIA123</Key>\n wJalr {}", "x".repeat(500));
        let said = hidden(&text, &keys);
        assert!(said.starts_with("<Key>[key]</Key> [key] x"), "{said}");
        assert_eq!(said.chars().count(), MESSAGE_CHARS_MAX);
    }
}
