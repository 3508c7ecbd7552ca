//! The arguments of `flagship team import`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::BoolishValueParser;
use flagship_server::imports::Encoding;

use super::{Installation, PublicUrl};

/// Which file of teams, how it is read, and what is done with it.
#[derive(Args)]
pub struct TeamFile {
    /// The file.
    pub file: PathBuf,
    #[command(flatten)]
    pub installation: Installation,
    /// Writes a token for each team to this file, which must not exist yet, with the columns name,
    /// token.
    #[arg(long, env = "FLAGSHIP_TOKENS", value_name = "OUT.csv")]
    pub tokens: Option<PathBuf>,
    /// Leaves out rows with the name of a team that is already there, confirmed or not.
    #[arg(long, env = "FLAGSHIP_SKIP_EXISTING", value_parser = BoolishValueParser::new())]
    pub skip_existing: bool,
    /// Mails each team a link that sets its password, valid for 7 days, or until the end of the
    /// event if that is later.
    #[arg(long, env = "FLAGSHIP_MAIL", value_parser = BoolishValueParser::new())]
    pub mail: bool,
    #[command(flatten)]
    pub site: PublicUrl,
    /// Prints what would be imported, what is left out and what is wrong, and writes nothing.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
    /// The encoding of a file that is not UTF-8 or UTF-16, by its label: windows-1251, gbk,
    /// macintosh.
    #[arg(long, env = "FLAGSHIP_ENCODING", value_name = "LABEL", value_parser = encoding)]
    pub encoding: Option<Encoding>,
}

fn encoding(label: &str) -> Result<Encoding, String> {
    Encoding::of_label(label).ok_or_else(|| {
        "no encoding has this label; common ones are windows-1252, windows-1250, windows-1251, \
         macintosh, gbk, big5, shift_jis, euc-kr, koi8-r"
            .to_owned()
    })
}
