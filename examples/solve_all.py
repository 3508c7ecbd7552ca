"""Checks that every challenge of an example event can be solved from what its page gives.

    python3 examples/solve_all.py [EVENT_DIR] [--only ID]

Each solver runs in an empty folder with a time limit, beside a copy of the description and the
attachments and without challenge.yml, so that it cannot look the flag up. Attachments are made anew
and compared byte for byte, and a flag may not stand in the clear where players would see it. The
last line says `N passed, M failed`; the exit code is 1 when anything failed. Only the standard
library is used.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
SOLVER_SECONDS_MAX = 60
FLAG_BYTES_MAX = 256
PLACEHOLDER = "{{team_flag}}"
IN_THE_CLEAR = "Flag in the clear: intended."
SCORING = {"standard": ["value"], "dynamic": ["initial", "minimum"], "speedrun": ["values"]}
KEYS = {"name", "id", "author", "category", "description", "type", "value", "extra", "scoring",
        "flags", "logic", "attempts", "files", "hints", "requirements", "tags", "difficulty",
        "state", "position", "version"}


class Failed(Exception):
    """A problem of a challenge, in one sentence."""


def require(holds, sentence):
    if not holds:
        raise Failed(sentence)


def listed(challenge):
    """The attachments as a list of (path, True if each team has its own copy)."""
    files = challenge.get("files", [])
    return [(it, False) if isinstance(it, str) else (it["path"], it.get("per_team") == "true")
            for it in files]


def write_copy(original, folder, flag):
    """Writes the copy of a zip archive with a team's flag, as Flagship sends it."""
    require(zipfile.is_zipfile(original), f"{original.name} is no zip archive")
    filled = 0
    with zipfile.ZipFile(original) as old, zipfile.ZipFile(folder / original.name, "w") as new:
        for member in old.infolist():
            data = old.read(member)
            filled += data.count(PLACEHOLDER.encode())
            new.writestr(member, data.replace(PLACEHOLDER.encode(), flag.encode()))
    require(filled, f"{original.name} has no {PLACEHOLDER}")


def check_form(folder, challenge):
    """Checks that required members are present, and that attachments exist and are declared."""
    unknown = sorted(set(challenge) - KEYS)
    require(not unknown, f"unknown keys {unknown}")
    needed = ["name", "id", "author", "category", "description", "type", "flags", "state",
              "position", "version"]
    missing = [key for key in needed if key not in challenge]
    require(not missing, f"missing keys {missing}")
    require(challenge["type"] in SCORING, f"unknown type {challenge['type']}")
    given = challenge if challenge["type"] == "standard" else challenge.get("extra", {})
    absent = [key for key in SCORING[challenge["type"]] if key not in given]
    require(not absent, f"a {challenge['type']} challenge needs {absent}")
    declared = {folder / name for name, _ in listed(challenge)}
    present = set((folder / "dist").rglob("*")) if (folder / "dist").exists() else set()
    require(declared == present, f"files and dist/ differ: {sorted(declared ^ present)}")
    require(len({path.name for path in declared}) == len(declared), "two files of one name")
    require((folder / "solution" / "README.md").exists(), "no solution/README.md")


def check_flags(accepted, prefix):
    for text, _ in accepted:
        require(text.startswith(prefix) and text.endswith("}"), f"a flag is not {prefix}...}}")
        require(len(text.encode()) <= FLAG_BYTES_MAX, "a flag is too long")


def check_clear(folder, challenge, accepted):
    """Checks that no flag, nor the text in its braces, is in files for players or solvers."""
    seen = {"description": challenge["description"].encode()}
    note = (folder / "solution" / "README.md").read_text(encoding="utf-8")
    for path in [folder / name for name, _ in listed(challenge)]:
        seen[path.name] = path.read_bytes()
    if IN_THE_CLEAR in note:
        require(any(accepted[0][0].encode() in data for data in seen.values()),
                "the note says that the flag stands in the clear, but it does not")
        seen = {}
    for path in (folder / "solution").iterdir():
        if path.is_file():
            seen[f"solution/{path.name}"] = path.read_bytes()
    for text, _ in accepted:
        inside = text[text.index("{") + 1:-1].casefold().encode()
        for where, data in seen.items():
            require(inside not in data.lower(), f"a flag stands in the clear in {where}")


def run(arguments, cwd):
    try:
        return subprocess.run(
            [sys.executable, "-I", "-B", *map(str, arguments)], cwd=cwd, capture_output=True,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}, text=True, encoding="utf-8",
            timeout=SOLVER_SECONDS_MAX, check=True).stdout
    except subprocess.TimeoutExpired:
        raise Failed(f"{arguments[0].name} takes over {SOLVER_SECONDS_MAX} s") from None
    except subprocess.CalledProcessError as error:
        raise Failed(f"{arguments[0].name} failed: {error.stderr.strip()[-500:]}") from None


def is_accepted(line, accepted):
    return any(line == text or (any_case and line.casefold() == text.casefold())
               for text, any_case in accepted)


def check_solver(event, folder, challenge, accepted, room):
    """Runs the solver with the page alone; it must find each accepted flag."""
    page = room / "page"
    page.mkdir()
    (page / "description.txt").write_text(challenge["description"], encoding="utf-8")
    for name, is_per_team in listed(challenge):
        if is_per_team:
            write_copy(folder / name, page, accepted[0][0])
        else:
            shutil.copy(folder / name, page)
    solution = room / "event" / folder.relative_to(event) / "solution"
    solution.mkdir(parents=True)
    for path in (folder / "solution").glob("*.py"):
        if path.name != "make.py" and ".template." not in path.name:
            shutil.copy(path, solution)
    shutil.copytree(event / "workbench", room / "event" / "workbench",
                    ignore=shutil.ignore_patterns("challenge_file.py", "__pycache__"))
    lines = run([solution / "solve.py", page], room).split("\n")
    require(lines.pop() == "" and lines, "solve.py prints no line")
    require(is_accepted(lines[-1], accepted), "the last line of solve.py is no accepted flag")
    for number, flag in enumerate(accepted, 1):
        require(any(is_accepted(line, [flag]) for line in lines), f"flag {number} was not found")


def check_rebuilt(folder, room):
    """Checks that make.py writes the files in dist/. Other files may be hand-made."""
    make = folder / "solution" / "make.py"
    if not make.exists():
        return
    made = room / "made"
    made.mkdir()
    run([make, made], room)
    old = {path.name: path.read_bytes() for path in (folder / "dist").iterdir()}
    new = {path.name: path.read_bytes() for path in made.iterdir()}
    differ = sorted(name for name in old | new if old.get(name) != new.get(name))
    require(not differ, f"make.py writes something else than dist/ holds: {differ}")


def check_together(challenges):
    """Checks unique names, positions and flags, and that requirements exist without cycles.

    Gives one sentence for each fault.
    """
    for key in ("id", "name", "position"):
        values = [str(challenge.get(key)) for challenge in challenges]
        for value in sorted({value for value in values if values.count(value) > 1}):
            yield f"{key} {value} is used twice"
    known = {challenge.get(key): challenge for challenge in challenges for key in ("name", "id")}
    opened, left = set(), list(challenges)
    for challenge in challenges:
        for name in challenge.get("requirements", []):
            if name not in known:
                yield f"{challenge.get('id')} requires {name}, which there is not"
    while left:
        free = [challenge for challenge in left if all(
            name not in known or known[name].get("id") in opened
            for name in challenge.get("requirements", []))]
        if not free:
            yield f"nobody can ever open {sorted(str(challenge.get('id')) for challenge in left)}"
            return
        opened.update(challenge.get("id") for challenge in free)
        left = [challenge for challenge in left if challenge not in free]


def check_surroundings(event, flags):
    """Checks that no flag is in the files around the challenges; yields a sentence for each."""
    around = [path for path in event.glob("*") if path.is_file()]
    for path in around + sorted((event / "workbench").glob("*.py")):
        text = path.read_text(encoding="utf-8").casefold()
        if any(flag[flag.index("{") + 1:-1] in text for flag in flags):
            yield f"a flag stands in {path.relative_to(event)}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("event", nargs="?", type=Path, default=EXAMPLES / "beginner")
    arguments.add_argument("--only", metavar="ID", help="check just this challenge")
    options = arguments.parse_args()
    event = options.event.resolve()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(event))
    import tomllib
    from workbench import challenge_file

    settings = tomllib.loads((event / "event.toml").read_text(encoding="utf-8"))
    prefix = settings["event"]["flag_format"].partition("...")[0]
    passed, failures, challenges, flags = 0, [], [], []
    for path in sorted(event.glob("challenges/**/challenge.yml")):
        folder = path.parent
        try:
            challenge = challenge_file.read(path)
            challenges.append(challenge)
            if options.only not in (None, challenge.get("id")):
                continue
            check_form(folder, challenge)
            accepted = challenge_file.flags(challenge)
            check_flags(accepted, prefix)
            flags += [text.casefold() for text, _ in accepted]
            check_clear(folder, challenge, accepted)
            with tempfile.TemporaryDirectory() as room:
                check_solver(event, folder, challenge, accepted, Path(room))
                check_rebuilt(folder, Path(room))
        except (Failed, challenge_file.Unreadable) as error:
            failures.append(f"{path.relative_to(event)}: {error}")
            print(f"FAILED  {failures[-1]}")
        else:
            passed += 1
            print(f"ok      {challenge['id']}")
    faults = [*check_together(challenges), *check_surroundings(event, flags)]
    faults += ["two challenges share a flag"] if len(set(flags)) != len(flags) else []
    faults += [] if challenges else ["no challenge found"]
    for fault in faults:
        print(f"FAILED  {fault}")
    print(f"{passed} passed, {len(failures) + len(faults)} failed")
    return 1 if failures or faults or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
