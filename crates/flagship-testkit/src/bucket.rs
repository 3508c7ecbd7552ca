//! A bucket on an S3-compatible server: s3rver, a Node program that `cargo xtask test` installs.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// Path of the server in the repository.
const PROGRAM: &str = "../../e2e/bucket/node_modules/s3rver/bin/s3rver.js";
const NAME: &str = "flagship-test";

/// A running server with an empty bucket.
pub struct TestBucket {
    server: Child,
    _folder: TempDir,
    /// `s3://BUCKET?endpoint=URL`
    pub url: String,
}

impl TestBucket {
    /// Keys for the environment of programs. The server accepts no other ID.
    pub const KEYS: [(&str, &str); 2] =
        [("AWS_ACCESS_KEY_ID", "S3RVER"), ("AWS_SECRET_ACCESS_KEY", "S3RVER")];

    /// Starts a server.
    ///
    /// # Panics
    /// If s3rver is not installed: a test must not pass without its server.
    pub fn new() -> Self {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join(PROGRAM);
        assert!(program.exists(), "`{}` is missing: run `cargo xtask test`", program.display());
        let folder = tempfile::tempdir().expect("a folder");
        let mut server = Command::new("node");
        server.arg(&program).args(["--address", "127.0.0.1", "--port", "0"]);
        server.args(["--silent", "--no-vhost-buckets", "--directory"]).arg(folder.path());
        server.args(["--configure-bucket", NAME]);
        let server = server.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = server.spawn().expect("node starts");
        let mut lines = BufReader::new(server.stdout.take().expect("it is piped")).lines();
        let address = lines.find_map(|line| {
            let line = line.expect("it is readable");
            line.strip_prefix("S3rver listening on ").map(str::to_owned)
        });
        let address = address.expect("the server names its address");
        // The server would stop if nothing read its output.
        std::thread::spawn(move || lines.for_each(drop));
        Self { server, _folder: folder, url: format!("s3://{NAME}?endpoint=http://{address}") }
    }
}

impl Default for TestBucket {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for TestBucket {
    fn drop(&mut self) {
        self.server.kill().expect("it is running");
        self.server.wait().expect("it ends");
    }
}
