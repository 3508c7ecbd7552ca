//! Checks across several challenges: names, ids, requirements, categories.
#![allow(clippy::unwrap_used)]

mod folder;

use flagship_pack::Pack;
use folder::{Folder, expect};

/// A pack of challenges in folders `0`, `1`, ...; each has a name and additional lines from line 6
/// on.
fn pack(challenges: &[(&str, &str)]) -> Pack {
    let folder = Folder::new();
    for (i, (name, lines)) in challenges.iter().enumerate() {
        let text =
            format!("name: {name}\ntype: standard\nvalue: 1\nflags: [f]\ncategory: c\n{lines}\n");
        folder.write(&format!("challenges/{i}/challenge.yml"), text);
    }
    folder.read()
}

fn names(pack: &Pack) -> Vec<&str> {
    pack.challenges.iter().map(|challenge| challenge.challenge.name.as_str()).collect()
}

fn requirements<'p>(pack: &'p Pack, name: &str) -> Vec<&'p str> {
    let found = pack.challenges.iter().find(|challenge| challenge.challenge.name == name);
    found.unwrap().challenge.requirements.iter().map(|id| id.as_str()).collect()
}

#[test]
fn requirements_are_names_or_ids_in_a_list_or_a_map() {
    for lines in [
        "requirements: [First, two]",
        "requirements: ['  First ', two, First]",
        "requirements:\n  prerequisites: [First, Second]",
        "requirements:\n- first\n- Second",
    ] {
        let pack = pack(&[("Third", lines), ("First", ""), ("Second", "id: two")]);
        assert_eq!(pack.problems, [], "{lines}");
        assert_eq!(requirements(&pack, "Third"), ["first", "two"], "{lines}");
    }
    let pack = pack(&[("1337", ""), ("A", "requirements: [1337]"), ("B", "requirements: A")]);
    assert_eq!(requirements(&pack, "A"), ["1337"]);
    assert_eq!(requirements(&pack, "B"), ["a"]);
}

#[test]
fn a_requirement_that_is_hidden_is_reported() {
    let hidden = "state: hidden";
    for (first, second, expected) in [
        (
            hidden,
            "requirements: [A]",
            &[("challenges/1/challenge.yml:6: warning: ", "`A`, which")][..],
        ),
        (hidden, "state: hidden\nrequirements: [A]", &[]),
        ("", "requirements: [A]", &[]),
    ] {
        let pack = pack(&[("A", first), ("B", second)]);
        expect(&folder::shown(&pack), expected, second);
        assert_eq!(names(&pack), ["A", "B"]);
    }
}

#[test]
fn a_requirement_that_names_nothing_leaves_its_challenge_out() {
    let pack = pack(&[
        ("Warmup", ""),
        ("A", "requirements:\n- Warmup\n- Warmpu"),
        ("B", "requirements: [12]"),
        ("C", "requirements: [A]"),
    ]);
    assert_eq!(names(&pack), ["Warmup"]);
    let expected = [
        (
            "challenges/1/challenge.yml:8: error: ",
            "unknown challenge `Warmpu` in requirements; did you mean `",
        ),
        ("challenges/2/challenge.yml:6: error: ", "unknown challenge `12`"),
        ("challenges/3/challenge.yml:6: error: ", "this challenge requires `A`, which is ignored"),
    ];
    expect(&folder::shown(&pack), &expected, "nothing");
}

#[test]
fn a_requirement_with_an_error_has_its_own_message() {
    let pack = pack(&[("Docker", "state: gone"), ("A", "requirements: [Docker]")]);
    assert_eq!(names(&pack), Vec::<&str>::new());
    let shown = folder::shown(&pack);
    let orphan =
        "challenges/1/challenge.yml:6: error: this challenge requires `Docker`, which is ignored";
    assert!(shown.iter().any(|problem| problem.starts_with(orphan)), "{shown:?}");
}

#[test]
fn cyclic_requirements_are_an_error() {
    let pack = pack(&[
        ("A", "requirements: [B]"),
        ("B", "requirements: [C]"),
        ("C", "requirements: [A]"),
        ("D", "requirements: [A]"),
        ("Self", "requirements: [Self]"),
        ("Free", ""),
        ("Chain", "requirements: [Free]"),
    ]);
    assert_eq!(names(&pack), ["Free", "Chain"]);
    let shown = folder::shown(&pack);
    assert_eq!(shown.len(), 5, "{shown:?}");
    assert!(shown[0].ends_with("`A` requires `B` requires `C` requires `A`"), "{shown:?}");
    assert!(shown[4].ends_with("`Self` requires `Self`"), "{shown:?}");
}

#[test]
fn a_long_chain_is_not_a_cycle() {
    let challenges: Vec<_> = (0..300)
        .map(|i| {
            (
                format!("C{i}"),
                format!(
                    "requirements: [{}]",
                    ["".into(), format!("C{}", i + 1)][usize::from(i < 299)]
                ),
            )
        })
        .collect();
    let borrowed: Vec<_> = challenges.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let pack = pack(&borrowed);
    assert_eq!((pack.challenges.len(), pack.errors()), (300, 0));
}

#[test]
fn the_first_of_two_with_one_name_or_id_stays() {
    let pack = pack(&[
        ("Same", "position: 1"),
        ("' Same '", "id: other"),
        ("Same!", ""),
        ("Else", "id: same"),
        ("After", "requirements: [Same]"),
    ]);
    assert_eq!(names(&pack), ["Same", "After"]);
    assert_eq!(pack.challenges[0].challenge.position, Some(1));
    assert_eq!(requirements(&pack, "After"), ["same"]);
    let at = "challenges/0/challenge.yml:1";
    let expected = [
        ("challenges/1/challenge.yml:1: error: the name `Same`", at),
        ("challenges/2/challenge.yml:1: error: the ID `same`", at),
        ("challenges/3/challenge.yml:1: error: the ID `same`", at),
    ];
    expect(&folder::shown(&pack), &expected, "twins");
}

#[test]
fn categories_that_differ_only_in_case_get_one_note() {
    let pack = pack(&[
        ("A", "categories: [Web]"),
        ("B", "categories: [web]"),
        ("C", "categories: [web]"),
        ("D", "categories: [Web]"),
    ]);
    let spellings = "`Web` in challenges/0/challenge.yml:1, `web` in challenges/1/challenge.yml:1";
    let expected = [("challenges/1/challenge.yml:1: warning: ", spellings)];
    expect(&folder::shown(&pack), &expected, "spellings");
}

#[test]
fn reading_a_folder_twice_gives_the_same_result() {
    let make =
        || pack(&[("B", "x: 1"), ("A", "requirements: [Z]"), ("C", "files: [a, b]"), ("B", "")]);
    assert_eq!(make().problems, make().problems);
    assert_eq!(names(&make()), names(&make()));
}
