//! Secrets of join cards: a token for the link, and a code to type together with the team's name.

use flagship_actions::mail::token::new_link_token;
use flagship_store::Key;
use flagship_store::ops::join_cards::CardSecrets;

/// Symbols of a code: Crockford's base32, without I, L, O and U.
const SYMBOLS: [u8; 32] = *b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Number of symbols in a code: 50 bits, guessed under the limit of failed logins.
const CODE_CHARS: usize = 10;
/// Number of symbols per group of a code.
const GROUP: usize = 5;
/// Purpose of the MAC of a code.
const PURPOSE: &str = "code of a join card";

/// Generates the secrets of an account's card.
pub fn new_secrets(key: &Key, account_id: i64) -> CardSecrets {
    let symbol = |byte: u8| char::from(SYMBOLS[usize::from(byte) % SYMBOLS.len()]);
    let symbols = rand::random::<[u8; CODE_CHARS]>().map(symbol);
    let groups = symbols.chunks(GROUP).map(String::from_iter);
    let code = groups.collect::<Vec<_>>().join("-");
    let code_digest = code_digest(key, account_id, &code);
    CardSecrets { token: new_link_token(), code, code_digest }
}

/// MAC of a typed code and its account. A plain hash would not protect a code, because a code is
/// short enough to be guessed offline. Case, spaces and hyphens are ignored, O is read as 0, and I
/// and L are read as 1.
pub fn code_digest(key: &Key, account_id: i64, typed: &str) -> String {
    let typed = typed.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let symbol = |c: char| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        symbol => symbol,
    };
    let code: String = typed.map(symbol).collect();
    key.mac(PURPOSE, &[&account_id.to_string(), &code])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn key() -> Key {
        Key::new(&[7; 32])
    }

    #[test]
    fn a_code_is_two_groups_of_unambiguous_symbols() {
        let mut symbols = BTreeSet::new();
        for _ in 0..200 {
            let CardSecrets { token, code, .. } = new_secrets(&key(), 1);
            assert_eq!(token.len(), 43);
            assert_eq!((code.len(), code.find('-')), (11, Some(5)), "{code}");
            symbols.extend(code.chars().filter(|c| *c != '-'));
        }
        let expected: BTreeSet<char> = SYMBOLS.map(char::from).into();
        assert_eq!(symbols, expected, "each occurs");
    }

    #[test]
    fn a_code_is_valid_as_people_type_it_and_only_for_its_account() {
        let digest = |account, typed: &str| code_digest(&key(), account, typed);
        let printed = digest(1, "01ABC-DEFGH");
        for typed in ["01abc-defgh", " 01ABC DEFGH ", "01ABCDEFGH", "olabc-defgh", "OIABC–DEFGH"]
        {
            let is_same = !typed.contains('–');
            assert_eq!(digest(1, typed) == printed, is_same, "{typed}");
        }
        for typed in ["", "01ABC-DEFG", "01ABC-DEFGHJ", "01ABC-DEFGJ"] {
            assert_ne!(digest(1, typed), printed, "{typed}");
        }
        assert_ne!(digest(2, "01ABC-DEFGH"), printed, "of another team");
        let other = code_digest(&Key::new(&[8; 32]), 1, "01ABC-DEFGH");
        assert_ne!(other, printed, "of another event");
    }
}
