//! Who may have a password checked, and who may ask for a mailed link. What is refused here costs
//! neither a transaction nor a password's time.

use data_encoding::BASE64URL_NOPAD;
use flagship_store::accounts::{self, Account};
use flagship_store::mail::Purpose;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::ClientNetwork;
use crate::passwords::Place;
use crate::refusals::Refusals;

/// Bytes of a mailed link's token.
const LINK_BYTES: usize = 32;

/// Captchas that may be refused to one network: 100 at once, since solutions expire while a class
/// listens to its teacher, and then two a second.
pub fn refused_captchas() -> Refusals {
    Refusals::new(100, 500)
}

/// Mailed links that may be refused to one network: 30 at once, and then one a second. Each costs
/// a read.
pub fn refused_links() -> Refusals {
    Refusals::new(30, 1_000)
}

impl App {
    /// Takes a captcha's token, for a place to check a password.
    pub(super) async fn admit(
        &self,
        client: &ClientNetwork,
        captcha_token: &str,
    ) -> Result<Place, ApiError> {
        self.refused_captchas.check(client, self.clock.now_ms())?;
        let admitted = self.captcha.admit(self, client, captcha_token).await;
        if matches!(admitted, Err(ApiError::CAPTCHA)) {
            self.refused_captchas.note(client, self.clock.now_ms());
        }
        admitted
    }

    /// Whose mailed token this is, while it is good for `purpose`.
    pub(super) async fn account_of_link(
        &self,
        client: &ClientNetwork,
        token: &str,
        purpose: Purpose,
    ) -> Result<Account, ApiError> {
        let decoded = BASE64URL_NOPAD.decode(token.as_bytes());
        if !decoded.is_ok_and(|bytes| bytes.len() == LINK_BYTES) {
            return Err(ApiError::LINK);
        }
        let now_ms = self.clock.now_ms();
        self.refused_links.begin(client, now_ms)?;
        let account = {
            let _permit = self.link_reads.acquire().await.expect("it is never closed");
            accounts::by_token(&self.db, token, purpose, now_ms).await
        };
        if !matches!(account, Ok(None)) {
            self.refused_links.give_back(client);
        }
        account?.ok_or(ApiError::LINK)
    }
}
