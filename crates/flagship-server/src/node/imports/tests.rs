//! Realistic team files: odd encodings, odd rows, and Flagship's own lists.

use std::fs;
use std::path::PathBuf;

use super::readings::COLUMNS_MAX;
use super::sheet::{ROWS_MAX, holds};
use super::{Encoding, Fault, Passed, Sheet, Unread, parse};

/// Example output of `team list --csv`.
const OWN_LIST: &str = "rank,team,country,points,award,solves,last_solve,state,mail,email,number,\
    student,public_rank,signed_up,mail_at,mail_tries,next_try,server_said,new_email,members\n\
    1,Otters,IT,429,0,2,2026-11-27T22:21:23.250Z,plays,,otters@example.org,1,false,1,\
    2026-11-27T22:21:22.962Z,,,,,,\n\
    2,'=Bees,UN,100,0,1,,plays,sent,b@example.org,2,true,2,,,,,,,Ada; Grace\n\
    ,Cheats,IT,0,0,0,,banned,,c@example.org,3,false,,,,,,,,\n\
    ,Our test,UN,0,0,0,,hidden,,,4,false,,,,,,,,\n\
    ,Late Ants,UN,,,,,not confirmed,sent,d@example.org,5,false,,,,,,,,\n";

fn sheet(bytes: impl AsRef<[u8]>) -> Sheet {
    parse(bytes.as_ref(), None).expect("a text")
}

/// Name, country and student flag of all rows.
fn rows(sheet: &Sheet) -> Vec<(&str, &str, bool)> {
    let account = |row: &'_ super::Row| row.account.clone();
    assert!(sheet.faults.is_empty(), "{:?}", messages(sheet));
    let rows = sheet.rows.iter();
    rows.map(|row| (row.account.name.as_str(), &*row.account.country, account(row).student))
        .collect()
}

fn messages(sheet: &Sheet) -> Vec<(u64, &str)> {
    sheet.faults.iter().map(|fault| (fault.line, &*fault.message)).collect()
}

fn utf_16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

#[test]
fn fuzz_inputs_of_team_files_are_read() {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/team_csv");
    let files: Vec<_> = fs::read_dir(corpus).expect("a corpus").collect();
    assert!(files.len() >= 20, "{} are kept", files.len());
    for file in files {
        let path = file.expect("a file").path();
        println!("{}", path.display());
        holds(&fs::read(path).expect("readable"));
    }
}

#[test]
fn a_name_with_an_invisible_character_is_refused_with_its_place() {
    for (name, said) in [
        ("Pwners\u{fffc}", "character 7 is U+FFFC"),
        ("admin\u{2d7f}", "character 6 is U+2D7F"),
        ("\u{2800}\u{2800}\u{2800}", "character 1 is U+2800"),
        ("Two\u{200b}Words", "character 4 is U+200B, a zero-width space"),
        ("Two\u{ad}Words", "character 4 is U+00AD, a soft hyphen"),
        ("\"Two\nWords\"", "character 4 is U+000A, a line break"),
        ("Caf\u{fffd} Crew", "character 4 is U+FFFD, the replacement character"),
        ("Pwn\u{e000}ers", "character 4 is U+E000"),
    ] {
        let sheet = sheet(format!("name,email\nAnts,a@example.org\n{name},b@example.org\n"));
        let [Fault { line: 3, message }] = &sheet.faults[..] else { panic!("{name:?}") };
        assert!(message.contains(said), "{message}");
    }
    let sheet = sheet("name,email\nThe Ants,a\u{200b}da@example.org\n");
    let [(2, message)] = messages(&sheet)[..] else { panic!("{:?}", messages(&sheet)) };
    assert!(message.contains("character 2 is U+200B, a zero-width space"), "{message}");
}

#[test]
fn a_space_of_a_word_processor_is_a_blank() {
    for space in ['\u{a0}', '\u{202f}', '\u{2003}', '\u{2007}', '\u{3000}'] {
        let text = format!(
            "name,email,country,student\nTwo{space}Words{space},{space}a@example.org{space},\
             South{space}Korea,{space}yes\n"
        );
        assert_eq!(rows(&sheet(text)), [("Two Words", "KR", true)], "{space:?}");
    }
}

#[test]
fn rows_that_a_spreadsheet_leaves_behind_are_passed_over() {
    let text = "\u{feff}name;email;country;student\r\nSemi Team;semi@example.org;Italia;WAHR\r\n\
                ;;;\r\n;;;\r\n";
    let read = sheet(text);
    assert_eq!((rows(&read), read.blank), (vec![("Semi Team", "IT", true)], 2));
    for blank in [",", ",,,,,", " ,\u{a0}", "\t", "\"\",\"\""] {
        let read = sheet(format!("name,email\n{blank}\nAnts,a@example.org\n{blank}\n"));
        assert_eq!((rows(&read).len(), read.blank), (1, 2), "{blank:?}");
    }
    let read = sheet("name,email\n,\n,\n");
    assert!(messages(&read)[0].1.contains("no teams"), "{:?}", messages(&read));
}

#[test]
fn a_password_hash_is_an_error_that_names_it_and_is_not_shown() {
    let hash = "$2b$12$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghijk";
    for (hash, kind) in [
        (hash, "bcrypt"),
        ("$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2Q", "bcrypt-sha256"),
        ("$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA", "argon2"),
        ("$pbkdf2-sha256$29000$c2FsdA$aGFzaGhhc2g", "pbkdf2"),
    ] {
        let read = sheet(format!("name,email,password\nHashed Team,h@example.org,\"{hash}\"\n"));
        let [(2, message)] = messages(&read)[..] else { panic!("{hash}: {:?}", messages(&read)) };
        assert!(message.contains(&format!("is a hash ({kind}) from another program")), "{message}");
        assert!(!message.contains(hash), "{message}");
    }
}

#[test]
fn own_lists_are_imported_and_those_who_did_not_play_are_left_out() {
    let read = sheet(OWN_LIST);
    assert_eq!(rows(&read), [("Otters", "IT", false), ("=Bees", "UN", true)]);
    let said = |it: &Passed| format!("{}: {} is {}", it.line, it.name, it.reason);
    assert_eq!(
        read.passed.iter().map(said).collect::<Vec<_>>(),
        [
            "4: Cheats is listed as banned",
            "5: Our test is listed as hidden",
            "6: Late Ants is listed as not confirmed",
        ]
    );
    let winners = "place,team,country,points,email,student,members\n\
                   1,Otters,IT,429,otters@example.org,false,\n";
    assert_eq!(rows(&sheet(winners)), [("Otters", "IT", false)]);
    let standings = "rank,team,country,points,award,solves,last_solve\n1,Otters,IT,429,0,2,\n";
    let read = sheet(standings);
    assert_eq!(messages(&read), [(1, "missing column \"email\" in the first line")]);
    let unknown = sheet("team,email,pasword\nOtters,a@example.org,x\n");
    assert!(messages(&unknown)[0].1.contains("did you mean \"password\"?"));
    assert_eq!(Vec::<Passed>::new(), unknown.passed);
}

#[test]
fn a_header_of_too_many_columns_is_one_error() {
    for title in ["name", "rank", "members of the team"] {
        let many = format!("{title},").repeat(40_000);
        let read = sheet(format!("name,email,{many}email\nAnts,a@example.org\n"));
        let [(1, message)] = messages(&read)[..] else { panic!("{title}: {}", read.faults.len()) };
        assert!(message.starts_with("too many columns: 40003, at most 64 are allowed"));
        assert!(read.columns.is_empty() && read.passed_over.is_empty(), "{title}");
    }
    let most = "rank,".repeat(COLUMNS_MAX - 2);
    let read = sheet(format!("{most}name,email\n{}Ants,a@example.org\n", most.replace("rank", "")));
    assert_eq!(rows(&read), [("Ants", "UN", false)], "the most that are allowed");
    // Separators that a spreadsheet adds at the end of each line name no columns.
    let blank = ",".repeat(1_000);
    let read = sheet(format!("name,email{blank}\nAnts,a@example.org{blank}\n"));
    assert_eq!(rows(&read), [("Ants", "UN", false)]);
    let twice = sheet("name,email,name,NAME\nAnts,a@example.org,Bees,Crabs\n");
    let said = ["duplicate column \"name\"", "duplicate column \"NAME\""];
    assert_eq!(messages(&twice), said.map(|message| (1, message)));
}

#[test]
fn rows_that_are_left_out_count_among_those_of_a_file() {
    let listed = "Cheats,c@example.org,banned\n".repeat(ROWS_MAX);
    let read = sheet(format!("name,email,state\n{listed}Ants,a@example.org,plays\n"));
    let line = ROWS_MAX as u64 + 2;
    let message = "more than 100000 teams; the rest is ignored";
    assert_eq!(messages(&read), [(line, message)], "one row more than a file may have");
    assert_eq!((read.passed.len(), read.names.len()), (ROWS_MAX, 0));
}

#[test]
fn names_in_an_unknown_encoding_are_shown_and_never_guessed() {
    for (bytes, label, name) in [
        (&b"\xb1\xb1\xbe\xa9\xd5\xbd\xb6\xd3"[..], "gbk", "北京战队"),
        (b"\xca\xee\xec\xe0\xed\xe4\xe0", "windows-1251", "Команда"),
        (b"\xa3\xf3d\x9f \xafubry", "windows-1250", "Łódź Żubry"),
        (b"\x83quipe", "macintosh", "Équipe"),
        (b"Caf\xe9 Crew", "windows-1252", "Café Crew"),
        (b"\x93\x8c\x8b\x9eCTF", "shift_jis", "東京CTF"),
    ] {
        let text = [b"name,email\nAnts,a@example.org\n", bytes, b",b@example.org\n"].concat();
        let Err(Unread::Encoding { line: 3, readings }) = parse(&text, None) else {
            panic!("{name} was read")
        };
        let found = readings.iter().find(|it| it.label == label);
        assert_eq!(found.map(|it| it.names.clone()), Some(vec![name.to_owned()]), "{readings:?}");
        let read = parse(&text, Encoding::of_label(label)).expect("it is in it");
        assert_eq!(rows(&read)[1].0, name);
    }
    let secret = b"name,email,password\nAnts,a@example.org,geheim\xfc1\n";
    let Err(Unread::Encoding { line: 2, readings }) = parse(secret, None) else { panic!("read") };
    assert_eq!(readings, [], "no password is shown");
    let split = b"name,email,password\nAnts,a@example.org,ge,heim\xfc1\n";
    let Err(Unread::Encoding { line: 2, readings }) = parse(split, None) else { panic!("read") };
    assert_eq!(readings, [], "and no part of one that has a comma");
}

#[test]
fn utf_16_is_recognized_without_a_byte_order_mark() {
    let text = "name,email\nPlain Sixteen,e@example.org\nКоманда,f@example.org\n";
    for bytes in [
        utf_16(text, u16::to_le_bytes),
        utf_16(text, u16::to_be_bytes),
        utf_16(&format!("\u{feff}{text}"), u16::to_le_bytes),
        utf_16(&format!("\u{feff}{text}"), u16::to_be_bytes),
    ] {
        let read = sheet(&bytes);
        assert_eq!(rows(&read), [("Plain Sixteen", "UN", false), ("Команда", "UN", false)]);
        let broken = [&bytes[..], b"x"].concat();
        let Err(Unread::Malformed { line: 4, name }) = parse(&broken, None) else { panic!("read") };
        assert!(name.starts_with("UTF-16"), "{name}");
    }
}

#[test]
fn a_file_that_is_not_in_the_given_encoding_is_refused_with_its_line() {
    for (label, bytes, line) in [
        ("utf-8", &b"name,email\nCaf\xe9,a@example.org\n"[..], 2),
        ("gbk", b"name,email\nAnts,a@example.org\n\xff\xff,b@example.org\n", 3),
        ("shift_jis", b"name,email\n\xa0,a@example.org\n", 2),
    ] {
        let read = parse(bytes, Encoding::of_label(label));
        let Err(Unread::Malformed { line: found, .. }) = read else { panic!("{label}") };
        assert_eq!(found, line, "{label}");
    }
    for label in ["", "latin-99", "replacement", "hz-gb-2312"] {
        assert_eq!(Encoding::of_label(label), None, "{label}");
    }
    for label in ["Windows-1251", " cp1252 ", "latin1", "x-sjis", "utf-16le"] {
        assert!(Encoding::of_label(label).is_some(), "{label}");
    }
}

#[test]
fn a_zip_file_says_what_it_is() {
    let zip = |names: &[&str]| {
        let files = names.iter().flat_map(|name| [b"PK\x03\x04..", name.as_bytes()].concat());
        files.collect::<Vec<u8>>()
    };
    let read = |bytes: &[u8]| parse(bytes, None).err();
    assert_eq!(read(&zip(&["db/alembic_version.json", "db/teams.json"])), Some(Unread::Ctfd));
    assert_eq!(read(&zip(&["[Content_Types].xml", "xl/x.xml"])), Some(Unread::Spreadsheet));
    let opened = "mimetypeapplication/vnd.oasis.opendocument.spreadsheet";
    assert_eq!(read(&zip(&[opened])), Some(Unread::Spreadsheet));
    assert_eq!(read(b"\xd0\xcf\x11\xe0\xa1\xb1"), Some(Unread::Spreadsheet));
    assert_eq!(read(&zip(&["teams.csv"])), Some(Unread::Zip));
    let label = Encoding::of_label("gbk");
    assert_eq!(parse(&zip(&["teams.csv"]), label).err(), Some(Unread::Zip), "whatever the label");
    assert!(Unread::Ctfd.to_string().starts_with("this is a CTFd export"));
}
