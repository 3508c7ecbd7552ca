//! `event.toml` and `rules.md`: the values read, and the problems reported.
#![allow(clippy::unwrap_used)]

mod folder;

use flagship_game::Reveal;
use flagship_pack::{
    CaptchaProvider, Given, HeadingFont, KeepWrongTexts, MailTls, MailTransport, PagePlace,
    Settings, Severity, SignupCodes, SignupFieldType, SiteFileKind, parse_settings,
};
use folder::{EVENT, Folder, expect};
use serde_json::{Map, Value, json};

/// The problems of an event file.
fn problems(text: impl AsRef<[u8]>) -> Vec<String> {
    Folder::new().write("event.toml", text).problems()
}

#[test]
fn what_is_a_file_beside_event_toml_is_not_set_elsewhere() {
    let given = |table: &str, key: &str, value: Value| -> Given {
        [(table.to_owned(), Map::from_iter([(key.to_owned(), value)]))].into()
    };
    assert!(parse_settings(&given("site", "banner", json!("Hello"))).is_ok());
    for (table, key, value) in [
        ("mail", "ca_file", json!("/etc/passwd")),
        ("site", "logo", json!("../secret")),
        ("site", "hero", json!("hero.png")),
        ("site", "sponsors", json!([{"name": "A", "logo": "/etc/passwd"}])),
    ] {
        let problems = parse_settings(&given(table, key, value)).unwrap_err();
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(&format!("`{key}` can only be set in event.toml")), "{said:?}");
    }
}

#[test]
fn a_short_file_gets_all_defaults() {
    let pack = Folder::new().read();
    assert_eq!(pack.problems, []);
    let event = pack.event.unwrap();
    assert_eq!(event.name, "Example");
    assert_eq!(event.start_ms, Some(1_700_917_200_000));
    assert_eq!(event.freeze_ms, Some(1_700_917_200_000 + 4 * 3_600_000));
    assert_eq!(event.end_ms, Some(1_700_917_200_000 + 5 * 3_600_000));
    assert_eq!((event.reveal, event.timezone.as_str()), (Reveal::Auto, "UTC"));
    assert_eq!(event.rules, "<p>Play fair.</p>");
    assert_eq!(pack.settings, Settings::default());
    let limits = pack.settings.limits;
    assert_eq!(limits.submissions_per_challenge_per_10_s, 3);
    assert_eq!(limits.submissions_per_team_per_minute, 10);
    assert_eq!(limits.signups_per_network_per_hour, 20);
    assert_eq!(pack.settings.privacy.sightings_days, 30);
    assert_eq!(pack.settings.privacy.keep_wrong_texts, KeepWrongTexts::Never);
    let registration = &pack.settings.registration;
    assert_eq!((registration.password_min, registration.members_max), (6, 4));
    assert_eq!((registration.max_teams, registration.waiting_list), (0, false));
    assert!(pack.settings.registration.refuse_common_passwords);
    assert_eq!(pack.settings.captcha.provider, CaptchaProvider::Altcha);
    assert_eq!(pack.settings.mail.transport, MailTransport::File);
}

#[test]
fn every_key_is_read() {
    let folder = Folder::new();
    folder.write(
        "event.toml",
        "\u{feff}[event]\r\nname = \"Everything\"\r\nstart = \"2023-11-25T14:00:00+01:00\"\r\n\
         freeze = 2023-11-25 18:00:00+01:00\r\nend = 2023-11-25T18:00:00Z\r\n\
         flag_format = \"flag{...}\"\r\nreveal = \"manual\"\r\ntimezone = \"Europe/Rome\"\r\n\
         [registration]\nopen = false\nopens = 2023-11-01T00:00:00Z\n\
         closes = \"2023-11-20T00:00:00+01:00\"\n\
         email_domains = [\"Students.Example\", \"@b\u{fc}cher.example\"]\n\
         confirm_email = false\ncodes = \"required\"\nstudent_label = \"We study\"\n\
         password_min = 10\nrefuse_common_passwords = false\nlocal_addresses = true\n\
         members_max = 0\nmax_teams = 40\nwaiting_list = true\n\
         [[registration.fields]]\nid = \"school\"\nlabel = \"School\"\ntype = \"text\"\n\
         [[registration.fields]]\nid = \"city\"\nlabel = \"City\"\ntype = \"choice\"\n\
         choices = [\"Turin\", \"Milan\"]\nrequired = true\n\
         [scoring]\nmax = 1_000\nmin = 100\ndecay = 20\n\
         [captcha]\nprovider = \"turnstile\"\nsite_key = \"k\"\n\
         verify_url = \"http://127.0.0.1:9/v\"\n\
         [mail]\ntransport = \"smtp\"\nfrom = \"CTF <ctf@a.example>\"\nhost = \"mail.a.example\"\n\
         tls = \"tls\"\nusername = \"ctf\"\n\
         [limits]\ntrusted_networks = [\"10.0.0.0/8\", \"::1\"]\n\
         trusted_proxies = [\"127.0.0.1\"]\n\
         submissions_per_challenge_per_10_s = 0\nsubmissions_per_team_per_minute = 5\n\
         signups_per_network_per_hour = 6\nfailed_logins_per_team_per_minute = 7\n\
         mails_per_address_per_hour = 8\nmails_per_hour = 9\n\
         [privacy]\nsightings_days = 14\nkeep_wrong_texts = \"until_end\"\n\
         [site]\nbanner = \"Hello\"\naccent = \"#0077CC\"\nmicroblog = \"https://m.example/@ctf\"\n\
         chat = \"https://chat.example\"\nallowed_origins = [\"https://a.example\"]\n",
    );
    folder.write(
        "challenges/c/challenge.yml",
        "name: c\ntype: dynamic\ncategory: misc\nflags: ['flag{f}']",
    );
    let pack = folder.read();
    let unproven = "without `confirm_email`, a team can enter any address of these domains";
    assert_eq!(folder::shown(&pack), [format!("event.toml:13: warning: {unproven}")]);
    let event = pack.event.as_ref().unwrap();
    assert_eq!((event.reveal, event.timezone.as_str()), (Reveal::Manual, "Europe/Rome"));
    assert_eq!(event.flag_format, "flag{...}");
    assert_eq!(event.end_ms, Some(1_700_935_200_000));
    let scoring = &folder::only(&pack).challenge.scoring;
    let expected = flagship_game::Scoring::Dynamic { max: 1000, min: 100, decay: 20 };
    assert_eq!(*scoring, expected);
    let Settings { registration, captcha, mail, limits, privacy, site, named } = pack.settings;
    let keys = ["sightings_days", "keep_wrong_texts"].map(str::to_owned);
    assert_eq!(named["privacy"], keys.into());
    assert!(named["mail"].contains("host") && !named.contains_key("event"), "{named:?}");
    assert_eq!(privacy.sightings_days, 14);
    assert_eq!(privacy.keep_wrong_texts, KeepWrongTexts::UntilEnd);
    assert!(!registration.open && !registration.confirm_email);
    let window = (registration.opens, registration.closes);
    assert_eq!(window, (Some(1_698_796_800_000), Some(1_700_434_800_000)));
    assert_eq!(registration.codes, SignupCodes::Required);
    assert!(registration.max_teams == 40 && registration.waiting_list);
    let city = &registration.fields[1];
    assert_eq!((city.id.as_str(), city.kind), ("city", SignupFieldType::Choice));
    assert!(city.required && city.choices == ["Turin", "Milan"]);
    assert_eq!(registration.fields.len(), 2);
    assert_eq!(registration.email_domains, ["students.example", "xn--bcher-kva.example"]);
    assert_eq!(registration.student_label.as_deref(), Some("We study"));
    assert_eq!((registration.password_min, registration.members_max), (10, 0));
    assert!(!registration.refuse_common_passwords && registration.local_addresses);
    assert_eq!(captcha.provider, CaptchaProvider::Turnstile);
    assert_eq!(captcha.site_key.as_deref(), Some("k"));
    assert_eq!(captcha.verify_url.as_deref(), Some("http://127.0.0.1:9/v"));
    assert_eq!((mail.transport, mail.tls, mail.port), (MailTransport::Smtp, MailTls::Tls, 465));
    assert_eq!((mail.host.as_str(), mail.from.as_str()), ("mail.a.example", "CTF <ctf@a.example>"));
    assert!(limits.trusted_networks[0].contains("10.9.9.9".parse().unwrap()));
    assert!(limits.trusted_proxies[0].contains("127.0.0.1".parse().unwrap()));
    assert_eq!(limits.submissions_per_challenge_per_10_s, 0);
    assert_eq!(limits.submissions_per_team_per_minute, 5);
    assert_eq!(limits.signups_per_network_per_hour, 6);
    assert_eq!(limits.failed_logins_per_team_per_minute, 7);
    assert_eq!((limits.mails_per_address_per_hour, limits.mails_per_hour), (8, 9));
    assert_eq!(site.accent.as_deref(), Some("#0077CC"));
    assert_eq!(site.banner.as_deref(), Some("Hello"));
    assert_eq!(site.chat.as_deref(), Some("https://chat.example"));
    assert_eq!(site.microblog.as_deref(), Some("https://m.example/@ctf"));
    assert_eq!(site.allowed_origins, ["https://a.example"]);
}

#[test]
fn an_unknown_key_is_reported_with_the_nearest_one() {
    for (lines, expected) in [
        ("[site]\nacent = \"#fff\"", ("event.toml:7: error: ", "did you mean `accent`?")),
        ("[mail]\nprot = 25", ("event.toml:7: error: ", "`port`")),
        ("[sites]\nx = 1", ("event.toml:6: error: ", "did you mean [site]?")),
        ("[site]\nfreeze = 1", ("event.toml:7: error: ", "belongs in [event]")),
        ("[site.more]\nx = 1", ("event.toml:6: error: ", "unknown key `more` in [site]")),
        ("[event.more]\nx = 1", ("event.toml:6: error: ", "unknown key `more` in [event]")),
    ] {
        expect(&problems(format!("{EVENT}{lines}\n")), &[expected], lines);
    }
    let above = format!("name = \"x\"\n{EVENT}");
    expect(&problems(&above), &[("event.toml:1: error: ", "belongs in [event]")], &above);
}

#[test]
fn the_accent_is_compared_with_the_grounds_that_the_site_has() {
    let tokens = include_str!("../../../web/src/ui/tokens.css");
    let grounds = ["#f4f6f8", "#080c12"];
    let line = format!("--ground: light-dark({});", grounds.join(", "));
    assert!(tokens.contains(&line), "{line}");
    for faint in grounds {
        let lines = format!("{EVENT}[site]\naccent = \"{faint}\"\n");
        expect(&problems(&lines), &[("event.toml:7: error: ", "1.00:1 with the")], faint);
    }
    for accent in ["#07c", "#7048e8", "#d9480f", "#c07a00"] {
        let lines = format!("{EVENT}[site]\naccent = \"{accent}\"\n");
        expect(&problems(&lines), &[], accent);
    }
}

#[test]
fn wrong_questions_of_the_signup_form_are_reported() {
    for (lines, line, piece) in [
        ("id = \"a b\"\nlabel = \"A\"\ntype = \"text\"", 7, "1 to 40 lowercase"),
        ("id = \"a\"\ntype = \"text\"", 7, "requires an `id`, a `label` and a `type`"),
        ("id = \"a\"\nlabel = \"A\"\ntype = \"choice\"", 9, "requires 1 to 100 `choices`"),
        (
            "id = \"a\"\nlabel = \"A\"\ntype = \"text\"\nchoices = [\"b\"]",
            10,
            "only a field of type \"choice\"",
        ),
        (
            "id = \"a\"\nlabel = \"A\"\ntype = \"text\"\n[[registration.fields]]\nid = \"a\"\n\
             label = \"B\"\ntype = \"text\"",
            11,
            "two fields have the `id`",
        ),
    ] {
        let problems = problems(format!("{EVENT}[[registration.fields]]\n{lines}\n"));
        expect(&problems, &[(&format!("event.toml:{line}: error:"), piece)], lines);
    }
}

#[test]
fn a_wrong_value_is_reported_with_its_line_and_the_default_is_kept() {
    for (lines, piece) in [
        ("[registration]\nopen = \"yes\"", "`true` or `false`"),
        ("[registration]\npassword_min = 0", "between 1 and 128"),
        ("[registration]\ncodes = \"yes\"", "must be one of \"none\", \"optional\""),
        ("[registration]\nopens = \"soon\"", "`opens`"),
        ("[registration]\nopens = 2023-11-25 14:00:00", "no UTC offset"),
        (
            "[registration]\ncloses = 2023-11-25 14:00:00Z\nopens = 2023-11-25 14:00:00Z",
            "`closes` must be later than `opens`",
        ),
        ("[registration]\nemail_domains = \"a.example\"", "a list of strings"),
        ("[registration]\nemail_domains = [\"ada@a.example\"]", "domains such as"),
        ("[registration]\nemail_domains = [\"example\"]", "domains such as"),
        ("[registration]\nemail_domains = [\"*.a.example\"]", "domains such as"),
        ("[registration]\npassword_min = 6.5", "a whole number"),
        ("[registration]\nmembers_max = 21", "between 0 and 20"),
        ("[registration]\nmax_teams = -1", "between 0 and"),
        ("[registration]\nmax_teams = \"forty\"", "a whole number"),
        ("[registration]\nwaiting_list = 1", "`true` or `false`"),
        ("[registration]\nstudent_label = \"a\\nb\"", "one line"),
        ("[captcha]\nprovider = \"recapcha\"", "must be one of \"altcha\", \"recaptcha\""),
        ("[captcha]\nverify_url = \"ftp://a.example\"", "http or https URL"),
        ("[mail]\ntls = \"ssl\"", "\"starttls\", \"tls\", \"none\""),
        ("[mail]\nport = 70000", "between 1 and 65535"),
        ("[mail]\nport = \"25\"", "a whole number"),
        ("[mail]\nfrom = \"nobody\"", "an email address"),
        ("[mail]\nhost = \"mail.example:25\"", "without a port"),
        ("[mail]\nca_file = 7", "a quoted string"),
        ("[mail]\nca_file = \"../ca.pem\"", "a file in the same folder as event.toml"),
        ("[mail]\nca_file = \"/etc/passwd\"", "a file in the same folder as event.toml"),
        ("[mail]\nca_file = \".hidden\"", "a file in the same folder as event.toml"),
        ("[mail]\nca_file = \"none.pem\"", "`none.pem`: the file cannot be read"),
        ("[mail]\nca_file = \"challenges\"", "not a regular file"),
        ("[mail]\nca_file = \"rules.md\"", "it contains no PEM certificate"),
        ("[limits]\ntrusted_networks = [\"campus\"]", "`10.0.0.0/8`".trim_matches('`')),
        ("[limits]\ntrusted_proxies = \"::1\"", "a list of strings"),
        ("[limits]\nsignups_per_network_per_hour = -1", "between 0 and"),
        ("[privacy]\nsightings_days = -1", "between 0 and"),
        ("[privacy]\nsightings_days = \"long\"", "a whole number"),
        ("[privacy]\nkeep_wrong_texts = \"always\"", "must be one of \"never\", \"until_end\""),
        ("[site]\naccent = \"red\"", "a color"),
        ("[site]\naccent = \"#00aaf\"", "a color"),
        ("[site]\naccent = \"#ffb225\"", "a contrast of 1.66:1 with the light background"),
        ("[site]\naccent = \"#fff\"", "3:1 is required; use a darker color"),
        ("[site]\naccent = \"#00f\"", "a contrast of 2.28:1 with the dark background"),
        ("[site]\nchat = \"javascript:alert(1)\"", "http or https URL"),
        ("[site]\nmicroblog = \"//a.example\"", "http or https URL"),
        ("[site]\nallowed_origins = [\"*\"]", "must contain origins"),
        ("[site]\nallowed_origins = [\"https://a.example/x\"]", "must contain origins"),
        ("[site]\nallowed_origins = [7]", "must contain origins"),
    ] {
        let folder = Folder::new();
        folder.write("event.toml", format!("{EVENT}{lines}\n"));
        let pack = folder.read();
        expect(&folder::shown(&pack), &[("event.toml:7: error: ", piece)], lines);
        let named = pack.settings.named.clone();
        assert_eq!(pack.settings, Settings { named, ..Settings::default() }, "{lines}");
        assert!(pack.event.is_some(), "{lines}");
        assert_eq!(pack.errors(), 1);
    }
}

#[test]
fn proxies_that_are_half_the_internet_draw_a_warning() {
    for (network, is_wide) in [
        ("0.0.0.0/0", true),
        ("128.0.0.0/1", true),
        ("::/0", true),
        ("2000::/3", true),
        ("10.0.0.0/8", false),
        ("127.0.0.1", false),
        ("fc00::/7", false),
        ("2001:db8::/32", false),
    ] {
        let folder = Folder::new();
        folder.write(
            "event.toml",
            format!("{EVENT}[limits]\ntrusted_proxies = [\"127.0.0.1\", \"{network}\"]\n"),
        );
        let pack = folder.read();
        let warned = [("event.toml:7: warning: ", "anyone in this network can spoof any address")];
        expect(&folder::shown(&pack), if is_wide { &warned } else { &[] }, network);
        assert_eq!(pack.settings.limits.trusted_proxies.len(), 2);
    }
}

#[test]
fn a_sender_may_have_any_name() {
    for (name, is_fine) in
        [("Harbour: Finals", true), ("A, B (2026) @ C", true), ("a < b", true), ("A\\nB", false)]
    {
        let folder = Folder::new();
        let from = format!("from = \"{name} <ctf@example.org>\"");
        folder.write("event.toml", format!("{EVENT}[mail]\n{from}\n"));
        assert_eq!(folder.read().errors() == 0, is_fine, "{name}");
    }
}

#[test]
fn a_remote_captcha_and_smtp_need_their_keys() {
    let text = format!("{EVENT}[captcha]\nprovider = \"hcaptcha\"\n[mail]\ntransport = \"smtp\"\n");
    let expected = [
        ("event.toml:7: error: ", "`site_key`"),
        ("event.toml:9: error: ", "`from`"),
        ("event.toml:9: error: ", "`host`"),
    ];
    expect(&problems(&text), &expected, &text);
    let text = format!("{EVENT}[captcha]\nprovider = \"off\"\n");
    expect(&problems(&text), &[("event.toml:7: warning: ", "without a captcha")], &text);
}

#[test]
fn an_event_with_a_wrong_time_is_not_usable() {
    let base = "[event]\nname = \"x\"\n";
    let start = "start = 2023-11-25T14:00:00+01:00\n";
    for (lines, expected) in [
        ("start = 2023-11-25T14:00:00\nend = 2023-11-26T00:00:00Z", (3, "has no UTC offset")),
        ("start = \"soon\"\nend = 2023-11-26T00:00:00Z", (3, "is not a valid time")),
        ("start = 14:00:00\nend = 2023-11-26T00:00:00Z", (3, "is not a valid time")),
        ("start = 1700917200000\nend = 2023-11-26T00:00:00Z", (3, "a time with a UTC offset")),
        (&format!("{start}end = 2023-11-25T13:00:00Z"), (4, "`end` must be later than `start`")),
        (
            &format!("{start}end = 2023-11-25T19:00:00+01:00\nfreeze = 2023-11-25T19:00:00+01:00"),
            (4, "`end` must be later than `freeze`"),
        ),
        (
            &format!("{start}end = 2023-11-25T19:00:00+01:00\nfreeze = 2023-11-25T13:00:00Z"),
            (5, "`freeze` must be later than `start`"),
        ),
        (
            &format!("{start}end = 2023-11-25T19:00:00+01:00\nfreze = 2023-11-25T15:00:00Z"),
            (5, "`freeze`"),
        ),
        (
            &format!("{start}end = 2023-11-25T19:00:00+01:00\ntimezone = \"Mars/Base\""),
            (5, "is not a time zone"),
        ),
        (
            &format!("{start}end = 2023-11-25T19:00:00+01:00\nreveal = \"never\""),
            (5, "\"auto\", \"manual\""),
        ),
    ] {
        let folder = Folder::new();
        folder.write("event.toml", format!("{base}{lines}\n"));
        let pack = folder.read();
        let start = format!("event.toml:{}: error: ", expected.0);
        expect(&folder::shown(&pack), &[(&start, expected.1)], lines);
        assert!(pack.event.is_none(), "{lines}");
    }
}

#[test]
fn start_and_end_are_required_and_a_freeze_is_not() {
    let folder = Folder::new();
    folder.write("event.toml", "# first\n[event]\nname = \"x\"\n");
    let pack = folder.read();
    let expected = [("event.toml:2: error: ", "`end`"), ("event.toml:2: error: ", "`start`")];
    expect(&folder::shown(&pack), &expected, "no times");
    assert!(pack.event.is_some_and(|event| event.start_ms.is_none() && event.end_ms.is_none()));
    let times = EVENT.replace("freeze = 2023-11-25T18:00:00+01:00\n", "");
    expect(&problems(times), &[], "no freeze");
}

#[test]
fn a_file_that_is_missing_or_unreadable_is_one_error() {
    for (text, expected) in [
        (&b"[event]\nname = \"x\nend = 1"[..], ("event.toml:2: error: ", "TOML")),
        (b"[event]\nname = \"x\"\nname = \"y\"\n", ("event.toml:3: error: ", "TOML")),
        (b"", ("event.toml:1: error: ", "missing event name")),
        (b"[event]\nname = \"\xff\"\n", ("event.toml:2: error: ", "UTF-8")),
        (b"event = 1\n", ("event.toml:1: error: ", "must be a table")),
        (b"[[event]]\nname = \"x\"\n", ("event.toml:1: error: ", "must be a table")),
    ] {
        expect(&problems(text), &[expected], &String::from_utf8_lossy(text));
    }
    let folder = Folder::new();
    std::fs::remove_file(folder.path("event.toml")).unwrap();
    expect(&folder.problems(), &[("event.toml:1: error: ", "not found")], "missing");
    assert!(folder.read().event.is_none());
    let huge = vec![b'#'; 1024 * 1024 + 1];
    expect(&problems(huge), &[("event.toml:1: error: ", "larger than 1 MiB")], "huge");
    let deep = format!("a = {}", "[".repeat(100_000));
    expect(&problems(deep), &[("event.toml:1: error: ", "TOML")], "deep");
}

#[test]
fn toml_syntax_errors_are_explained_for_organizers() {
    for (lines, line, piece) in [
        ("open = yes", 7, "`open`: `yes` is not a valid value: use straight quotes"),
        ("open = flase", 7, "`open`: `flase` is not a valid value; did you mean `false`?"),
        ("open = True # now", 7, "`True` is not a valid value; did you mean `true`?"),
        ("open =", 7, "`open`: missing value after `=`"),
        ("student_label = “We study”", 7, "`“We study”` uses curly quotes"),
        ("student_label = We study", 7, "`We study` is not a valid value"),
        ("student_label = \"We study", 7, "missing closing `\"`"),
        ("student_label = 'We study", 7, "missing closing `'`"),
        ("freeze = 24.11.2026", 7, "`freeze`: `24.11.2026` is neither a time nor a number"),
        ("freeze = 24/11/2026 18:00", 7, "`24/11/2026 18:00` is neither a time"),
        ("open = true\nopen = false", 8, "duplicate key `open`"),
        ("[registration]\nopen = true", 7, "duplicate table `registration`"),
        ("[mail\nport = 25", 7, "missing `]` after the table name `mail`"),
        ("open", 7, "`open` is neither `key = value` nor `[table]`"),
        ("reserved_names = [\n  Root,\n]", 8, "`Root` is not a valid value: use"),
        ("open: true", 7, "`open: true` is neither"),
        ("reserved_names = [\"a\"\nopen = true", 8, "unclosed `[`, `{` or quote, here or above"),
        ("reserved_names = [\"a\"\n[site]", 8, "unclosed `[`, `{` or quote, here or above"),
        ("reserved_names = [\"a\" \"b\"]", 7, "or a missing comma"),
    ] {
        let problems = problems(format!("{EVENT}[registration]\n{lines}\n"));
        let start = format!("event.toml:{line}: error: ");
        expect(&problems, &[(&start, piece)], lines);
        let (ours, parser) = problems[0].split_once(" (invalid TOML: ").unwrap();
        assert!(ours.contains(piece) && parser.ends_with(')'), "{problems:?}");
    }
}

#[test]
fn rules_keep_their_placeholders_and_lose_scripts() {
    let folder = Folder::new();
    folder
        .write("rules.md", "# Rules\n- From {start} to {end}, {flag_format}\n<script>x()</script>");
    let rules = folder.read().event.unwrap().rules;
    assert!(rules.contains("<li>From {start} to {end}, {flag_format}</li>"), "{rules}");
    assert!(!rules.contains("script"), "{rules}");
    std::fs::remove_file(folder.path("rules.md")).unwrap();
    expect(&folder.problems(), &[("rules.md:1: warning: ", "no rules")], "no rules");
    folder.write("rules.md", "> ".repeat(5000));
    expect(&folder.problems(), &[("rules.md:1: error: ", "too deeply")], "deep rules");
}

#[test]
fn reading_fails_only_if_the_folder_does_not_exist() {
    let folder = Folder::new();
    let error = flagship_pack::read(&folder.path("nowhere")).unwrap_err().to_string();
    assert!(error.contains("nowhere"), "{error}");
    assert!(flagship_pack::read(&folder.path("event.toml")).is_err());
    let empty = tempfile::tempdir().unwrap();
    let pack = flagship_pack::read(empty.path()).unwrap();
    let severities: Vec<_> = pack.problems.iter().map(|problem| problem.severity).collect();
    assert_eq!(severities, [Severity::Warning, Severity::Error, Severity::Warning]);
    assert_eq!(pack.summary(), "0 challenges, 1 error, 2 warnings, 0 notes");
}

#[test]
fn the_mail_servers_ca_file_is_read_from_the_event_folder() {
    let folder = Folder::new();
    let pem = "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n";
    folder.write("ca.pem", pem);
    folder.write("event.toml", format!("{EVENT}[mail]\nca_file = \"ca.pem\"\n"));
    let pack = folder.read();
    assert_eq!(pack.settings.mail.ca.as_deref(), Some(pem));
    let path = folder.path("ca.pem");
    std::fs::rename(&path, folder.path("real.pem")).unwrap();
    std::os::unix::fs::symlink(folder.path("real.pem"), &path).unwrap();
    expect(
        &folder.problems(),
        &[("event.toml:7: error: ", "symbolic links are not followed")],
        "a link",
    );
    std::fs::remove_file(&path).unwrap();
    folder.write("ca.pem", "-".repeat(2 * 1024 * 1024));
    expect(&folder.problems(), &[("event.toml:7: error: ", "larger than")], "a huge file");
}

/// An event folder with branding: these lines of `[site]`, and files for them to refer to.
fn branded(lines: &str) -> Folder {
    let folder = Folder::new();
    folder.write("event.toml", format!("{EVENT}[site]\n{lines}\n"));
    folder.write("brand/logo.svg", "<svg viewBox='0 0 120 40'></svg>");
    folder.write(
        "brand/ship.png",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0",
    );
    folder.write("brand/face.woff2", "wOF2....");
    folder.write("brand/page.svg", "<!doctype html><script>x()</script>");
    folder
}

#[test]
fn a_brand_is_read_with_its_files() {
    let folder = branded(
        "accent = \"#07c\"\naccent_dark = \"#9cf\"\nlogo = \"brand/logo.svg\"\n\
         logo_dark = \"./brand/ship.png\"\nfavicon = \"brand/ship.png\"\n\
         hero = \"brand/ship.png\"\n\
         preview = \"brand/ship.png\"\nheading_font = \"brand/face.woff2\"\n\
         [[site.links]]\nname = \"Imprint\"\nlink = \"https://a.example/\"\n\
         [[site.sponsors]]\nname = \"The Harbour\"\nlogo = \"brand/logo.svg\"\ntier = \"Gold\"\n\
         link = \"https://b.example/\"\n[[site.sponsors]]\nname = \"A Friend\"\n",
    );
    folder.write("pages/about.md", "# About *us* & you\n\nFrom {start}, {max} points.\n");
    folder
        .write("pages/faq.md", "---\nplace: navigation\nposition: 1\ntitle: Questions\n---\n# A\n");
    let pack = folder.read();
    assert_eq!(folder::shown(&pack), Vec::<String>::new());
    let site = &pack.settings.site;
    let svg = site.logo.as_ref().unwrap();
    assert_eq!((svg.kind, svg.size), (SiteFileKind::Svg, Some((120, 40))));
    let png = site.logo_dark.as_ref().unwrap();
    let kind = SiteFileKind::Picture(flagship_game::PictureKind::Png);
    assert_eq!((png.kind, png.size), (kind, Some((3, 2))));
    assert_eq!([&site.favicon, &site.hero, &site.preview], [&site.logo_dark; 3]);
    let Some(HeadingFont::File(font)) = &site.heading_font else { panic!("{site:?}") };
    assert_eq!(font.kind, SiteFileKind::Woff2);
    assert_eq!(site.links[0].name, "Imprint");
    let [harbour, friend] = &site.sponsors[..] else { panic!("{:?}", site.sponsors) };
    assert_eq!((harbour.tier.as_deref(), harbour.logo.as_ref()), (Some("Gold"), Some(svg)));
    assert_eq!((friend.name.as_str(), &friend.logo, &friend.link), ("A Friend", &None, &None));
    let pages: Vec<_> =
        site.pages.iter().map(|it| (&*it.slug, &*it.title, it.place, &*it.html)).collect();
    let about = "<p>From {start}, 500 points.</p>";
    assert_eq!(
        pages,
        [
            ("faq", "Questions", PagePlace::Navigation, "<h1>A</h1>"),
            ("about", "About us & you", PagePlace::Footer, about),
        ]
    );
    assert_eq!(pack.site_files.len(), 7, "each file of the settings");
    let known: Vec<&str> = pack.site_files.iter().map(|it| it.digest.as_str()).collect();
    assert!(site.files().all(|file| known.contains(&file.digest.as_str())));
}

#[test]
fn slips_in_a_brand_are_named() {
    let words = "named with its line";
    for (lines, piece) in [
        ("logo = \"brand/none.png\"", "`logo`: the file `brand/none.png` does not exist"),
        ("logo = \"../x.png\"", "is outside the event folder"),
        ("logo = \"/etc/passwd\"", "must be inside the event folder"),
        ("logo = \"brand\"", "is a folder"),
        ("logo = \"brand/page.svg\"", "is not a PNG, JPEG, WebP, GIF, SVG or WOFF2"),
        ("logo = \"brand/face.woff2\"", "must be an image, not a font"),
        ("logo_dark = \"brand/logo.svg\"", "requires a `logo`"),
        ("preview = \"brand/logo.svg\"", "must be a PNG, JPEG, WebP or GIF"),
        ("heading_font = \"Arial\"", "\"Inter\", \"JetBrains Mono\" or the path"),
        ("accent_dark = \"#9cf\"", "requires an `accent`"),
        ("accent = \"#07c\"\naccent_dark = \"#024\"", "with the dark background"),
        ("logoo = 1", "did you mean `logo`?"),
        (
            "[[site.links]]\nnam = \"x\"\nname = \"x\"\nlink = \"https://a.example\"",
            "did you mean `name`?",
        ),
        ("[[site.links]]\nname = \"x\"", "requires a `name` and a `link`"),
        ("[[site.links]]\nname = \"x\"\nlink = \"javascript:x\"", "must be an http or https URL"),
        ("[[site.sponsors]]\ntier = \"Gold\"", "a sponsor requires a `name`"),
        ("links = [1]", "must be an array of tables: `[[site.links]]`"),
        ("sponsors = 1", "an array of tables: `[[site.sponsors]]`"),
    ] {
        let problems = branded(lines).problems();
        let is_named =
            problems.iter().any(|it| it.starts_with("event.toml:") && it.contains(piece));
        assert!(is_named && problems.len() == 1, "{words}: {piece} in {problems:#?}");
    }
    for (name, text, piece) in [
        ("About.md", "# A", "a-z, 0-9 and dashes"),
        ("about.md", "no title", "missing title"),
        ("about.md", "---\ntitel: A\n---\n# A", "did you mean `title`?"),
        ("about.md", "---\nplace: top\n---\n# A", "`navigation` or `footer`"),
        ("about.md", "---\ntitle: A", "missing `---` line"),
        ("about.txt", "# A", "page files end in `.md`"),
        ("about.md", "# A\n\n{strat}", "did you mean `{start}`?"),
    ] {
        let folder = branded("");
        folder.write(&format!("pages/{name}"), text);
        expect(&folder.problems(), &[(&format!("pages/{name}:"), piece)], text);
    }
}
