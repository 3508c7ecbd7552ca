//! Has the crate built again when the site was, whose files are embedded, and packs the HTTP
//! description, which is embedded too.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

const DESCRIPTION: &str = "../../web/openapi.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=../../web/dist");
    println!("cargo:rerun-if-changed={DESCRIPTION}");
    let packed = File::create(Path::new(&std::env::var("OUT_DIR")?).join("openapi.json.gz"))?;
    let mut packed = GzEncoder::new(packed, Compression::best());
    std::io::Write::write_all(&mut packed, &fs::read(DESCRIPTION)?)?;
    packed.finish()?;
    Ok(())
}
