//! Has the crate built again when the site was: its files are embedded.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
