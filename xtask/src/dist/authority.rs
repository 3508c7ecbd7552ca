//! A certificate authority for the test of the installation: pebble, an ACME server for tests, and
//! its name server, which has every domain at 127.0.0.1.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use crate::postgres::free_port;
use crate::process::{output, run};

/// Running servers; dropping them kills the processes.
pub struct Authority {
    folder: PathBuf,
    address: SocketAddr,
    management: SocketAddr,
    servers: Vec<Child>,
}

impl Authority {
    /// Starts the servers, with their files in `folder`. Domains are validated at `http_port`.
    pub fn start(folder: &Path, http_port: u16) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let [address, management, names, others] = [free()?, free()?, free()?, free()?];
        let folder = folder.to_owned();
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc";
        openssl(&folder, &format!("req -x509 -subj /CN=Root -keyout ca.key -out ca.pem {key}"))?;
        let server = "req -x509 -subj /CN=Server -keyout key.pem -out own.pem -CA ca.pem";
        let usage = "-CAkey ca.key -addext basicConstraints=critical,CA:FALSE";
        let address_name = format!("-addext subjectAltName=IP:{}", address.ip());
        openssl(&folder, &format!("{server} {usage} {address_name} {key}"))?;
        let file = |name: &str| folder.join(name).display().to_string();
        let config = serde_json::json!({"pebble": {
            "listenAddress": address.to_string(),
            "managementListenAddress": management.to_string(),
            "certificate": file("own.pem"),
            "privateKey": file("key.pem"),
            "httpPort": http_port,
            "tlsPort": 1,
        }});
        std::fs::write(folder.join("config.json"), config.to_string())?;
        let (names, others) = (names.to_string(), others.to_string());
        let mut name_server = Command::new("/usr/bin/pebble-challtestsrv");
        name_server.args(["-dns01", &names, "-management", &others, "-defaultIPv6", ""]);
        name_server.args(["-http01", "", "-https01", "", "-tlsalpn01", ""]);
        let mut pebble = Command::new("/usr/bin/pebble");
        pebble.args(["-config", &file("config.json"), "-dnsserver", &names]);
        pebble.env("PEBBLE_VA_NOSLEEP", "1");
        let servers = [name_server, pebble].map(quiet).into_iter().collect::<Result<_>>()?;
        Ok(Self { folder, address, management, servers })
    }

    /// Address for `--acme`.
    pub fn directory(&self) -> String {
        format!("https://{}/dir", self.address)
    }

    /// The root certificate of the ACME server itself.
    pub fn root(&self) -> PathBuf {
        self.folder.join("ca.pem")
    }

    /// Writes the root of the issued certificates to a file; returns its path.
    pub fn issuer(&self) -> Result<PathBuf> {
        let url = format!("https://{}/roots/0", self.management);
        let retries = ["--retry", "20", "--retry-delay", "1", "--retry-connrefused"];
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--fail", "--noproxy", "*"]).args(retries);
        let issued = output(curl.arg("--cacert").arg(self.root()).arg(url))?;
        let path = self.folder.join("issuer.pem");
        std::fs::write(&path, issued)?;
        Ok(path)
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        for server in &mut self.servers {
            server.kill().ok();
            server.wait().ok();
        }
    }
}

fn free() -> Result<SocketAddr> {
    Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?)))
}

fn openssl(folder: &Path, words: &str) -> Result<()> {
    run(Command::new("openssl").args(words.split_whitespace()).current_dir(folder))
}

fn quiet(mut command: Command) -> Result<Child> {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().with_context(|| format!("start {:?}", quiet.get_program()))
}
