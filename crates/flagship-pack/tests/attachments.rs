//! Attachments and other files on disk: served, ignored or rejected.
#![allow(clippy::unwrap_used)]

mod folder;

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use flagship_game::PictureKind;
use flagship_pack::ATTACHMENT_BYTES_MAX;
use folder::{Folder, expect, only};
use rustix::fs::{CWD, RenameFlags, renameat_with};

const AT: &str = "challenges/one/challenge.yml:";

/// An event folder with a challenge that lists `files`, the first of them on line 7.
fn listing(files: &[&str]) -> Folder {
    let list: String = files.iter().map(|file| format!("- {file}\n")).collect();
    Folder::with(format!(
        "name: One\ncategory: c\ntype: standard\nvalue: 1\nflags: [f]\nfiles:\n{list}"
    ))
}

fn reports(folder: &Folder, kind: &str, piece: &str, about: &str) {
    let pack = folder.read();
    let start = format!("{AT}7: {kind}: ");
    expect(&folder::shown(&pack), &[(&start, piece)], about);
    assert_eq!(pack.challenges.len(), usize::from(kind != "error"), "{about}");
    for challenge in &pack.challenges {
        assert!(challenge.files.is_empty() && challenge.challenge.attachments.is_empty());
    }
}

#[test]
fn attachments_are_named_hashed_and_found() {
    let folder = listing(&["./dist/a.txt", "'b ü.bin'", "dist//c.zip"]);
    folder.write("challenges/one/dist/a.txt", "abc");
    folder.write("challenges/one/b ü.bin", [0, 159, 146, 150]);
    folder.write("challenges/one/dist/c.zip", "zip");
    let pack = folder.read();
    let one = only(&pack);
    assert_eq!(pack.problems, []);
    let names: Vec<_> =
        one.challenge.attachments.iter().map(|a| (a.name.as_str(), a.bytes)).collect();
    assert_eq!(names, [("a.txt", 3), ("b ü.bin", 4), ("c.zip", 3)]);
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(one.challenge.attachments[0].digest, digest);
    for (attachment, file) in one.challenge.attachments.iter().zip(&one.files) {
        assert_eq!((&attachment.digest, attachment.bytes), (&file.digest, file.bytes));
        assert_eq!(fs::metadata(&file.path).unwrap().len(), file.bytes);
    }
}

#[test]
fn one_file_need_not_be_a_list() {
    let text = "name: One\ncategory: c\ntype: standard\nvalue: 1\nflags: [f]\nfiles: a.txt\n";
    let folder = Folder::with(text);
    folder.write("challenges/one/a.txt", "abc");
    assert_eq!(only(&folder.read()).files.len(), 1);
}

#[test]
fn paths_that_leave_the_folder_are_refused() {
    for (path, piece) in [
        ("../one/a.txt", "is outside the challenge folder: copy the file here"),
        ("a/../../../event.toml", "is outside the challenge folder"),
        ("..", "is outside the challenge folder"),
        ("/etc/passwd", "must be inside the challenge folder"),
        ("'\\\\server\\share'", "must be inside the challenge folder"),
        ("C:/a.txt", "must be inside the challenge folder"),
        ("'dist\\a.txt'", "must use `/` as the path separator"),
        (".", "is not a file name"),
        ("\"a\\0b\"", "control characters"),
        ("\"a\\nb\"", "control characters"),
        (&"x".repeat(201), "is not a file name or is too long"),
    ] {
        let folder = listing(&[path]);
        folder.write("challenges/one/a.txt", "abc");
        reports(&folder, "error", piece, path);
    }
}

#[test]
fn links_folders_and_devices_are_refused() {
    let folder = listing(&["a"]);
    let path = folder.path("challenges/one/a");
    symlink("/etc/passwd", &path).unwrap();
    reports(&folder, "error", "symbolic link", "a link out");
    fs::remove_file(&path).unwrap();
    symlink("nowhere", &path).unwrap();
    reports(&folder, "warning", "does not exist", "a broken link");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    reports(&folder, "error", "is a folder", "a folder");
    fs::remove_dir(&path).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    reports(&folder, "error", "not a regular file", "a pipe, which must not be opened");

    let folder = listing(&["dist/passwd"]);
    symlink("/etc", folder.path("challenges/one/dist")).unwrap();
    let start = format!("{AT}7: error: ");
    let expected = [
        (start.as_str(), "is inside, a symbolic link"),
        ("challenges/one/dist:1: warning: ", "not followed"),
    ];
    expect(&folder.problems(), &expected, "behind a link");
}

#[test]
fn a_link_inside_the_challenges_folder_is_followed() {
    let folder = listing(&["dist/source.txt"]);
    folder.write("challenges/one/source.txt", "data\n");
    fs::create_dir_all(folder.path("challenges/one/dist")).unwrap();
    symlink("../source.txt", folder.path("challenges/one/dist/source.txt")).unwrap();
    let pack = folder.read();
    assert_eq!(pack.problems, []);
    let challenge = only(&pack);
    assert_eq!(challenge.challenge.attachments[0].name, "source.txt");
    assert_eq!(challenge.known_files()[0].name, "dist/source.txt", "as `files` names it");
    let mut text = String::new();
    challenge.files[0].open().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "data\n");
}

#[test]
fn a_link_is_no_way_out_of_the_challenges_folder() {
    let link = |target: &str, piece: &str| {
        let folder = listing(&["a"]);
        folder.write("challenges/two/file", "abc");
        folder.write("challenges/one/sub/challenge.yml", "name: Inner\nflags: [inner]\n");
        folder.write("challenges/one/sub/file", "abc");
        symlink("loop", folder.path("challenges/one/loop")).unwrap();
        symlink("../two", folder.path("challenges/one/out")).unwrap();
        symlink(target, folder.path("challenges/one/a")).unwrap();
        let problems = folder.problems();
        let start = format!("{AT}7: error: ");
        let is_said = problems.iter().any(|it| it.starts_with(&start) && it.contains(piece));
        assert!(is_said, "{target}: {problems:#?}");
    };
    let out = "points outside the challenge folder: copy the file here";
    link("../two/file", out);
    link("out/file", out);
    link("/etc/passwd", out);
    link("loop", out);
    link("challenge.yml", "named like a challenge file");
    link("sub/challenge.yml", "named like a challenge file");
    link("sub/file", "belongs to another challenge");
}

fn exchange(one: &Path, other: &Path) {
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
}

#[test]
fn a_folder_that_is_swapped_for_a_link_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("dist")).unwrap();
    for name in ["a.txt", "dist/a.txt"] {
        fs::write(outside.path().join(name), "secret").unwrap();
    }
    let folder = listing(&["dist/a.txt"]);
    folder.write("challenges/one/dist/a.txt", "public");
    let link = folder.path("link");
    symlink(outside.path(), &link).unwrap();
    let pack = folder.read();
    let file = &only(&pack).files[0];
    for name in ["challenges/one/dist", "challenges/one", "challenges"] {
        assert!(file.open().is_ok(), "{name}");
        let path = folder.path(name);
        exchange(&path, &link);
        assert!(file.open().is_err(), "a link after the reading: {name}");
        exchange(&path, &link);
    }
    // If the folder is swapped during the scan, the attachment is either skipped or the public
    // file.
    let is_done = AtomicBool::new(false);
    let path = folder.path("challenges/one/dist");
    let mut served = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                exchange(&path, &link);
            }
        });
        for _ in 0..300 {
            let pack = folder.read();
            served.extend(pack.challenges.iter().flat_map(|it| it.files.clone()));
        }
        is_done.store(true, Ordering::Relaxed);
    });
    println!("served {} times", served.len());
    assert!(served.iter().all(|it| it.digest == file.digest), "the secret is served");
}

#[test]
fn descriptors_and_files_of_other_challenges_are_not_attachments() {
    for (listed, piece) in [
        ("challenge.yml", "named like a challenge file"),
        ("inner/Challenge.YAML", "named like a challenge file"),
        ("inner/challenge.yml", "named like a challenge file"),
        ("inner/solve.py", "belongs to another challenge, because `inner`"),
        ("inner/deep/solve.py", "belongs to another challenge, because `inner`"),
    ] {
        let folder = listing(&[listed]);
        folder.write("challenges/one/plain.txt", "x");
        let other = "name: Two\ncategory: c\ntype: standard\nvalue: 1\nflags: [g]\n";
        folder.write("challenges/one/inner/challenge.yml", other);
        folder.write("challenges/one/inner/solve.py", "x");
        folder.write("challenges/one/inner/deep/solve.py", "x");
        let pack = folder.read();
        let start = format!("{AT}7: error: ");
        expect(&folder::shown(&pack), &[(&start, piece)], listed);
        assert_eq!(only(&pack).challenge.name, "Two");
    }
}

#[test]
fn a_file_beyond_the_limit_is_refused_unread() {
    let folder = listing(&["a"]);
    let file = File::create(folder.path("challenges/one/a")).unwrap();
    file.set_len(10 * ATTACHMENT_BYTES_MAX).unwrap();
    reports(&folder, "error", "larger than 1 GiB", "10 GiB");
}

#[test]
fn a_missing_file_and_a_pointer_are_left_out_with_a_warning() {
    reports(&listing(&["dist/a.zip"]), "warning", "does not exist", "missing");
    let folder = listing(&["a.zip"]);
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n";
    folder.write("challenges/one/a.zip", pointer);
    reports(&folder, "warning", "Git LFS pointer", "pointer");
}

#[test]
fn two_attachments_of_one_name_and_too_many_are_refused() {
    let folder = listing(&["a/x.txt", "b/x.txt"]);
    folder.write("challenges/one/a/x.txt", "1").write("challenges/one/b/x.txt", "2");
    let start = format!("{AT}8: error: ");
    expect(&folder.problems(), &[(&start, "duplicate attachment name `x.txt`")], "twins");
    let start = format!("{AT}6: error: ");
    let many = listing(&["x"; 65]).problems();
    assert!(many.iter().any(|p| p.starts_with(&start) && p.contains("more than 64")), "{many:?}");
}

#[test]
fn the_walk_follows_no_link_and_reads_each_folder_once() {
    let challenge =
        |name: &str| format!("name: {name}\ncategory: c\nvalue: 1\ntype: standard\nflags: [f]\n");
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("challenge.yml"), challenge("Outside")).unwrap();
    let folder = Folder::new();
    folder.write("challenges/b/challenge.yml", challenge("B"));
    folder.write("challenges/a/inner/challenge.yml", challenge("Inner"));
    folder.write("challenges/a/challenge.yml", challenge("A"));
    folder.write("challenges/.git/challenge.yml", challenge("Git"));
    symlink(outside.path(), folder.path("challenges/out")).unwrap();
    symlink("..", folder.path("challenges/a/loop")).unwrap();
    fs::create_dir(folder.path("challenges/c")).unwrap();
    symlink("../b/challenge.yml", folder.path("challenges/c/challenge.yml")).unwrap();
    let deep = format!("challenges/d{}", "/d".repeat(20));
    folder.write(&format!("{deep}/challenge.yml"), challenge("Deep"));
    let pack = folder.read();
    let names: Vec<_> = pack.challenges.iter().map(|c| c.challenge.name.as_str()).collect();
    assert_eq!(names, ["A", "Inner", "B"]);
    let deepest = format!("challenges/d{}:1: warning: ", "/d".repeat(15));
    let expected = [
        ("challenges/a/loop:1: warning: ", "symbolic link"),
        ("challenges/c/challenge.yml:1: error: ", "symbolic link"),
        (deepest.as_str(), "deeper than 16"),
        ("challenges/out:1: warning: ", "symbolic link"),
    ];
    expect(&folder::shown(&pack), &expected, "links");
}

#[test]
fn event_files_and_challenges_behind_links_are_refused() {
    for name in ["event.toml", "rules.md", "challenges"] {
        let folder = Folder::new();
        let moved = folder.path("moved");
        fs::rename(folder.path(name), &moved).unwrap();
        symlink(&moved, folder.path(name)).unwrap();
        let start = format!("{name}:1: error: ");
        expect(&folder.problems(), &[(&start, "symbolic link")], name);
    }
    let folder = Folder::new();
    fs::remove_file(folder.path("rules.md")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path("rules.md")).status().unwrap().success());
    expect(&folder.problems(), &[("rules.md:1: error: ", "not a regular file")], "pipe");
}

#[test]
fn files_called_almost_like_a_descriptor_are_listed() {
    let good = "name: One\ncategory: c\nvalue: 1\ntype: standard\nflags: [f]\n";
    let folder = Folder::with(good);
    folder.write("challenges/one/challenge.yaml", "apiVersion: v1\n---\nkind: x\n");
    folder.write("challenges/kctf/challenge.yaml", "apiVersion: v1\nkind: Challenge\n---\na: 1\n");
    folder.write("challenges/rcds/challenge.yaml", "# c\nname: a\nflag: x\ndescription: b\n");
    folder.write("challenges/slip/challenge.yaml", good);
    folder.write("challenges/slip2/Challenge.yml", good);
    folder.write("challenges/other/challenge.yaml", "a: 1\n");
    folder.write("challenges/torn/challenge.yaml", "a: 1\nb: [\n");
    let pack = folder.read();
    assert_eq!(only(&pack).challenge.name, "One");
    let expected = [
        ("challenges/kctf/challenge.yaml:1: error: ", "not ctfcli format: this looks like a kCTF"),
        ("challenges/one/challenge.yaml:1: note: ", "not ctfcli format: only the"),
        ("challenges/other/challenge.yaml:1: error: ", "not ctfcli format: unknown challenge file"),
        ("challenges/rcds/challenge.yaml:2: error: ", "not ctfcli format: this looks like a rcds"),
        ("challenges/slip/challenge.yaml:1: error: ", "rename this file"),
        ("challenges/slip2/Challenge.yml:1: error: ", "rename this file"),
        ("challenges/torn/challenge.yaml:2: error: ", "not ctfcli format: invalid YAML"),
    ];
    expect(&folder::shown(&pack), &expected, "others");
}

/// An image of 3 by 2 pixels.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0 and more";

/// An event folder with a challenge that has this description, on line 4.
fn described(description: &str) -> Folder {
    let text = format!(
        "name: One\ncategory: c\ntype: standard\ndescription: {description}\nvalue: 1\n\
         flags: [fl4gs]\nfiles: [ship.png]\n"
    );
    Folder::with(text)
}

#[test]
fn pictures_of_the_folder_are_shown_by_their_content() {
    let folder =
        described("'![a ship](my%20ship.jpg) ![](dist/./x.png?v=2 \"t\") ![](dist/x.png)'");
    folder.write("challenges/one/my ship.jpg", PNG);
    folder.write("challenges/one/ship.png", PNG);
    folder.write("challenges/one/dist/x.png", [PNG, b"x"].concat());
    let pack = folder.read();
    assert_eq!(folder::shown(&pack), Vec::<String>::new());
    let one = only(&pack);
    let shown: Vec<_> =
        one.challenge.attachments.iter().map(|it| (it.name.as_str(), it.picture)).collect();
    let png = Some(PictureKind::Png);
    let expected = [("ship.png", None), ("my ship.jpg", png), ("x.png", png), ("x.png", png)];
    assert_eq!(shown, expected);
    assert_eq!(one.files.len(), 4);
    assert_eq!(one.known_files().len(), 3, "each file once");
    let digest = &one.challenge.attachments[1].digest;
    let html =
        format!("<p><img src=\"picture:{digest}\" alt=\"a ship\" width=\"3\" height=\"2\"> <img");
    assert!(one.challenge.description.starts_with(&html), "{}", one.challenge.description);
}

#[test]
fn a_picture_of_too_many_pixels_is_not_shown() {
    for (width, height, is_shown) in [(4000_u32, 4000_u32, true), (8000, 8000, false)] {
        let folder = described("'![a ship](ship.png)'");
        let start = [&PNG[..16], &width.to_be_bytes(), &height.to_be_bytes(), &PNG[24..]].concat();
        folder.write("challenges/one/ship.png", start);
        let pack = folder.read();
        let warning = "it has 8000 x 8000 pixels, but at most 16 million are allowed";
        let expected = [(&*format!("{AT}4: warning: "), warning)];
        let expected = if is_shown { &[][..] } else { &expected };
        expect(&folder::shown(&pack), expected, &format!("{width} x {height}"));
        assert_eq!(only(&pack).challenge.description != "<p>a ship</p>", is_shown);
    }
}

#[test]
fn what_is_no_picture_is_named_and_its_words_are_shown() {
    let words = "the alt text";
    for (address, piece) in [
        ("gone.png", "the image `gone.png` does not exist"),
        ("ship.svg", "`ship.svg` is replaced by its alt text: it is not a PNG"),
        ("page.png", "`page.png` is replaced by its alt text"),
        ("../one/ship.png", "the image `../one/ship.png` is outside the challenge folder"),
        ("challenge.yml", "the image `challenge.yml` is named like a challenge file"),
        ("flag.png", "the image `flag.png` contains a flag of this challenge"),
    ] {
        let folder = described(&format!("'![a ship]({address})'"));
        folder.write("challenges/one/ship.png", PNG);
        folder.write("challenges/one/ship.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
        folder.write("challenges/one/page.png", "<!doctype html><script>x()</script>");
        folder.write("challenges/one/flag.png", [PNG, b"fl4gs"].concat());
        let pack = folder.read();
        expect(&folder::shown(&pack), &[(&format!("{AT}4: warning: "), piece)], address);
        let is_shown = only(&pack).challenge.description != "<p>a ship</p>";
        assert_eq!(is_shown, address == "flag.png", "{words}: {address}");
    }
    for address in ["https://x.example/a.png", "//x.example/a.png", "/files/a.png", "data:x", "#a"]
    {
        let folder = described(&format!("'![a ship]({address})'"));
        folder.write("challenges/one/ship.png", PNG);
        let pack = folder.read();
        let note = (&*format!("{AT}4: warning: "), "images from other sites");
        expect(&folder::shown(&pack), &[note], address);
        assert_eq!(only(&pack).challenge.description, "<p>a ship</p>", "{words}: {address}");
    }
}
