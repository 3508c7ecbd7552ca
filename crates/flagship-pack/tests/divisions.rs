//! `[[divisions]]` of `event.toml`: the values read, and the problems reported.

mod folder;

use flagship_game::Join;
use folder::{EVENT, Folder, expect};

/// The problems of an event file.
fn problems(text: impl AsRef<[u8]>) -> Vec<String> {
    Folder::new().write("event.toml", text).problems()
}

/// Three divisions, from line 6 on.
const DIVISIONS: &str = "\
[[divisions]]
id = \"school\"
name = \"School\"
join = \"code\"
code = \"sea horse\"
student = true
[[divisions]]
id = \"uni\"
name = \"University\"
join = \"domain\"
domains = [\"Uni.Example\", \"@b\u{fc}cher.example\"]
[[divisions]]
id = \"staff\"
name = \"Staff\"
group = \"Others\"
join = \"organizers\"
private = true
";

#[test]
fn divisions_are_read_and_the_event_has_the_public_ones() {
    let folder = Folder::new();
    folder.write("event.toml", format!("{EVENT}{DIVISIONS}"));
    let pack = folder.read();
    assert_eq!(pack.problems, []);
    let [school, uni, staff] = &pack.divisions[..] else { panic!("{:?}", pack.divisions) };
    assert_eq!((school.division.group.as_str(), school.division.join), ("Division", Join::Code));
    assert_eq!(school.code.as_deref(), Some("sea horse"));
    assert!(school.division.student && !school.private && school.domains.is_empty());
    assert_eq!(uni.domains, ["uni.example", "xn--bcher-kva.example"]);
    assert_eq!((staff.division.group.as_str(), staff.private), ("Others", true));
    assert!(!format!("{pack:?}").contains("sea horse"), "a code is not shown");
    let event = pack.event.expect("it is usable");
    let public: Vec<_> = event.divisions.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(public, ["school", "uni"]);

    let plain = Folder::new().read();
    assert!(plain.divisions.is_empty());
    assert!(plain.event.expect("it is usable").divisions.is_empty());
}

#[test]
fn a_wrong_division_is_reported_with_its_line_and_left_out() {
    let open = "id = \"a\"\nname = \"A\"\njoin = \"open\"";
    let other = "[[divisions]]\nid = \"b\"\nname = \"B\"\njoin = \"open\"";
    for (lines, line, piece) in [
        ("name = \"A\"\njoin = \"open\"", 6, "requires an `id`, a `name` and `join`"),
        ("id = \"a\"\njoin = \"open\"", 7, "requires an `id`, a `name` and `join`"),
        ("id = \"a\"\nname = \"A\"", 7, "requires an `id`, a `name` and `join`"),
        ("id = \"A b\"\nname = \"A\"\njoin = \"open\"", 7, "`id` must have 1 to 40 lowercase"),
        (
            "id = \"a\"\nname = \"A\"\njoin = \"free\"",
            9,
            "`join` must be one of \"open\", \"code\"",
        ),
        ("id = \"a\"\nname = \"A\"\njoin = \"code\"", 9, "`join = \"code\"` requires `code`"),
        ("id = \"a\"\nname = \"A\"\njoin = \"domain\"", 9, "requires `domains`"),
        (&format!("{open}\ncode = \"sea horse\""), 10, "only a division with `join = \"code\"`"),
        (&format!("{open}\ndomains = [\"a.example\"]"), 10, "only a division with"),
        (&format!("{open}\nprivat = true"), 10, "did you mean `private`?"),
        (&format!("{open}\nstudent = \"yes\""), 10, "`true` or `false`"),
        (
            "id = \"a\"\nname = \"A\"\njoin = \"organizers\"\nprivate = true\nstudent = true",
            9,
            "its teams join by the student checkbox",
        ),
        (
            "id = \"a\"\nname = \"A\"\njoin = \"domain\"\ndomains = [\"a.example\"]\n\
             private = true\nstudent = true",
            9,
            "`student = true` requires `join = \"open\"`",
        ),
        (
            &format!("{open}\nprivate = true\nstudent = true\n{other}"),
            13,
            "requires its own `group`",
        ),
        (
            &format!(
                "id = \"b\"\nname = \"B\"\njoin = \"open\"\n[[divisions]]\n{open}\n\
                 private = true\nstudent = true"
            ),
            11,
            "requires its own `group`",
        ),
        (
            &format!("{open}\n[[divisions]]\nid = \"a\"\nname = \"B\"\njoin = \"open\""),
            11,
            "two divisions have the `id`",
        ),
        (
            &format!("{open}\n[[divisions]]\nid = \"b\"\nname = \"A\"\njoin = \"open\""),
            12,
            "two divisions of `Division` have the name `A`",
        ),
        (
            &format!(
                "{open}\nstudent = true\n[[divisions]]\nid = \"b\"\nname = \"B\"\n\
                 join = \"open\"\nstudent = true"
            ),
            15,
            "only one division has `student = true`, and `a` has it",
        ),
    ] {
        let text = format!("{EVENT}[[divisions]]\n{lines}\n");
        expect(&problems(text), &[(&format!("event.toml:{line}: error:"), piece)], lines);
    }
    for text in ["divisions = 1\n", "[divisions]\nid = \"a\"\n"] {
        let text = match text.starts_with('[') {
            true => format!("{EVENT}{text}"),
            false => format!("{text}{EVENT}"),
        };
        let problems = problems(&text);
        assert!(problems.iter().any(|it| it.contains("`[[divisions]]`")), "{text}: {problems:?}");
    }
}

#[test]
fn a_doubtful_division_gets_a_warning() {
    for (lines, piece) in [
        ("join = \"code\"\ncode = \"1234\"", "`code` is easy to guess"),
        ("join = \"open\"\nprivate = true", "teams cannot join a private division"),
        (
            "join = \"open\"\n[[divisions]]\nid = \"b\"\nname = \"B\"\n\
             join = \"organizers\"\nprivate = true",
            "cannot join its public ones: use another `group`",
        ),
        (
            "join = \"domain\"\ndomains = [\"a.example\"]\n[registration]\n\
             confirm_email = false",
            "a team can enter any address of these domains",
        ),
    ] {
        let text = format!("{EVENT}[[divisions]]\nid = \"a\"\nname = \"A\"\n{lines}\n");
        expect(&problems(text), &[("event.toml:", piece)], lines);
    }
    // The student flag stays what it is: visible to organizers only.
    let student = "id = \"a\"\nname = \"A\"\njoin = \"open\"\nprivate = true\nstudent = true\n";
    assert_eq!(problems(format!("{EVENT}[[divisions]]\n{student}")), Vec::<String>::new());
}

#[test]
fn divisions_are_sent_with_the_event_to_a_server() {
    let text = format!("{EVENT}{DIVISIONS}[mail]\nhost = \"mail.example\"\n");
    let sent = flagship_pack::event_tables(&text).expect("it is TOML");
    assert!(!sent.contains("mail.example"), "{sent}");
    let pack = flagship_pack::read_texts(&sent, "", Vec::new());
    let folder = Folder::new();
    folder.write("event.toml", text);
    let read = folder.read();
    assert_eq!(pack.divisions, read.divisions);
    assert_eq!(pack.divisions.len(), 3);
    let divisions = |event: Option<flagship_game::Event>| event.map(|event| event.divisions);
    assert_eq!(divisions(pack.event), divisions(read.event));
}
