//! The place of attachments, as `--attachments` names it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use reqwest::Url;

/// Name of the storage in the database.
const DATABASE: &str = "database";
/// Scheme of a bucket's URL.
const BUCKET: &str = "s3://";

/// The place of attachments and branding files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// `files/` of a folder.
    Folder(PathBuf),
    /// The event's database.
    Database,
    /// A bucket of an S3-compatible server.
    Bucket(BucketUrl),
}

/// The parts of `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`. The keys are in the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketUrl {
    /// Name of the bucket.
    pub name: String,
    /// Path of the event's files in the bucket, without slashes at its ends. Empty for the whole
    /// bucket.
    pub prefix: String,
    /// URL of the server; `None` for AWS.
    pub endpoint: Option<String>,
    /// Region of the bucket.
    pub region: Option<String>,
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == DATABASE {
            return Ok(Self::Database);
        }
        if text.starts_with(BUCKET) {
            return bucket(text).map(Self::Bucket);
        }
        if text.is_empty() || text.contains("://") {
            return Err(format!(
                "expected a folder, `{DATABASE}` or `{BUCKET}BUCKET?endpoint=URL`"
            ));
        }
        Ok(Self::Folder(text.into()))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Database => f.write_str(DATABASE),
            Self::Bucket(url) => write!(f, "{url}"),
        }
    }
}

impl Location {
    /// Returns the place as an argument on a command line, quoted if it needs quotes.
    pub fn argument(&self) -> String {
        let place = self.to_string();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
        match place.chars().all(is_plain) {
            true => place,
            false => format!("'{}'", place.replace('\'', r"'\''")),
        }
    }
}

impl fmt::Display for BucketUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BUCKET}{}", self.name)?;
        if !self.prefix.is_empty() {
            write!(f, "/{}", self.prefix)?;
        }
        let endpoint = self.endpoint.iter().map(|value| ("endpoint", value));
        let region = self.region.iter().map(|value| ("region", value));
        for (number, (key, value)) in endpoint.chain(region).enumerate() {
            let separator = if number == 0 { '?' } else { '&' };
            write!(f, "{separator}{key}={}", query_value(value))?;
        }
        Ok(())
    }
}

/// Encodes the characters that would end a value of a query, or that a parser would change.
fn query_value(value: &str) -> String {
    let encode = |c: char| match c {
        '%' | '&' | '+' | '#' | ' ' => format!("%{:02X}", u32::from(c)),
        c => c.to_string(),
    };
    value.chars().map(encode).collect()
}

/// Parses the URL of a bucket. Errors never repeat the URL, which may contain a key by mistake.
fn bucket(text: &str) -> Result<BucketUrl, String> {
    let expected = format!(
        "expected `{BUCKET}BUCKET?endpoint=URL`, such as \
        `s3://flagship?endpoint=https://s3.example.org`"
    );
    let url = Url::parse(text).map_err(|_| expected.clone())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the URL contains a key: remove it, and set AWS_ACCESS_KEY_ID and \
                    AWS_SECRET_ACCESS_KEY in the environment"
            .to_owned());
    }
    let name = url.host_str().unwrap_or_default().to_owned();
    if name.is_empty() || url.port().is_some() || url.fragment().is_some() {
        return Err(expected);
    }
    let prefix = url.path().trim_matches('/').to_owned();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let is_valid = |part: &str| !part.is_empty() && part.chars().all(is_plain);
    if !prefix.is_empty() && !prefix.split('/').all(is_valid) {
        return Err(
            "the prefix in the URL of a bucket has only letters, digits, `.`, `_` and `-`, \
                    such as `s3://flagship/spring?endpoint=https://s3.example.org`"
                .to_owned(),
        );
    }
    let mut parsed = BucketUrl { name, prefix, endpoint: None, region: None };
    for (key, value) in url.query_pairs() {
        match &*key {
            "endpoint" => parsed.endpoint = Some(endpoint(&value)?),
            "region" => parsed.region = Some(value.into_owned()),
            _ => {
                return Err(
                    "the URL of a bucket has only the parameters `endpoint` and `region`; \
                            keys are in the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                        .to_owned(),
                );
            }
        }
    }
    Ok(parsed)
}

fn endpoint(text: &str) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(|url| {
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        is_web && url.username().is_empty() && url.password().is_none()
    });
    let expected = "`endpoint` must be an http or https URL without a key, such as \
                    `https://s3.example.org`";
    url.map(|_| text.trim_end_matches('/').to_owned()).ok_or_else(|| expected.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_folder_the_database_or_a_bucket() {
        assert_eq!("database".parse(), Ok(Location::Database));
        assert_eq!("/srv/files".parse(), Ok(Location::Folder("/srv/files".into())));
        let bucket = |endpoint: Option<&str>, region: Option<&str>| {
            Location::Bucket(BucketUrl {
                name: "ctf".to_owned(),
                prefix: String::new(),
                endpoint: endpoint.map(str::to_owned),
                region: region.map(str::to_owned),
            })
        };
        assert_eq!("s3://ctf".parse(), Ok(bucket(None, None)));
        let both = "s3://ctf?endpoint=http://127.0.0.1:9000/&region=eu";
        assert_eq!(both.parse(), Ok(bucket(Some("http://127.0.0.1:9000"), Some("eu"))));
    }

    #[test]
    fn a_place_is_printed_as_it_is_parsed() {
        for text in [
            "database",
            "/srv/files",
            "s3://ctf",
            "s3://ctf/spring/2026",
            "s3://ctf?region=eu",
            "s3://ctf/spring?endpoint=http://127.0.0.1:9000&region=eu-1",
            "s3://ctf?endpoint=https://s3.example.org/a%2525%26b&region=x%2By%20z%23",
        ] {
            let place: Location = text.parse().expect(text);
            assert_eq!(place.to_string(), text);
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        let slashes = "s3://ctf/spring/".parse::<Location>().expect("it is a bucket");
        assert_eq!(slashes.to_string(), "s3://ctf/spring");
    }

    #[test]
    fn a_place_is_quoted_for_a_command_line() {
        for (text, argument) in [
            ("database", "database"),
            ("/srv/my files", "'/srv/my files'"),
            ("/srv/it's", r"'/srv/it'\''s'"),
            ("s3://ctf?region=a&endpoint=http://h", "'s3://ctf?endpoint=http://h&region=a'"),
        ] {
            assert_eq!(text.parse::<Location>().expect(text).argument(), argument);
        }
    }

    #[test]
    fn a_wrong_url_is_explained_and_not_repeated() {
        for (text, part) in [
            ("", "expected a folder"),
            ("https://ctf.example.org", "expected a folder"),
            ("s3://", "expected `s3://"),
            ("s3://ctf/a//b", "the prefix"),
            ("s3://ctf/a%2fb", "the prefix"),
            ("s3://key:SECRET@ctf", "AWS_SECRET_ACCESS_KEY"),
            ("s3://ctf?secret=SECRET", "AWS_SECRET_ACCESS_KEY"),
            ("s3://ctf?endpoint=example.org", "`endpoint` must be"),
            ("s3://ctf?endpoint=https://key:SECRET@example.org", "`endpoint` must be"),
        ] {
            let error = text.parse::<Location>().expect_err(text);
            assert!(error.contains(part) && !error.contains("SECRET@"), "{text}: {error}");
        }
    }
}
