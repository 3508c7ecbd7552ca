"""Reads the small part of YAML in which the example's challenge.yml files are written.

It knows: `key: scalar`, `key: |` or `key: >-` blocks, nested maps and `- item` lists, also of maps,
by indentation, and the one-line forms `[a, b]` and `{key: value}`. It knows no anchors, tags, comments
behind a value or scalars over several lines, and refuses what it does not know. The real reader is
the `flagship-pack` crate; this one only keeps the check of the example free of dependencies.
"""

import re
from pathlib import Path

# Stands for the code of a team in per-team flags.
TEAM_CODE = "0123456789abcdef" * 2
KEY = re.compile(r"([A-Za-z_]+):(?: (.*))?$")


class Unreadable(ValueError):
    """The file uses something that this reader does not know."""


def read(path):
    """The map in the challenge.yml at `path`."""
    lines = Path(path).read_text(encoding="utf-8").split("\n")
    value, rest = _map(lines, 0, 0)
    if rest != len(lines):
        raise Unreadable(f"{path}:{rest + 1}: not understood: {lines[rest]!r}")
    return value


def flags(challenge):
    """The accepted flags as a list of (text, case_insensitive)."""
    accepted = []
    for flag in challenge["flags"]:
        if isinstance(flag, str):
            accepted.append((flag, False))
        elif flag.get("type") == "team":
            accepted.append((flag["content"].replace("[TEAM]", TEAM_CODE), False))
        elif flag.get("type") == "static":
            accepted.append((flag["content"], flag.get("data") == "case_insensitive"))
        else:
            raise Unreadable(f"flag type {flag.get('type')!r}")
    return accepted


def flag(solution_folder):
    """The first accepted flag of the challenge that the folder `solution` belongs to."""
    return flags(read(Path(solution_folder).parent / "challenge.yml"))[0][0]


def _blank(line):
    return not line.strip() or line.lstrip().startswith("#")


def _indent(line):
    return len(line) - len(line.lstrip(" "))


def _next(lines, at):
    while at < len(lines) and _blank(lines[at]):
        at += 1
    return at


def _map(lines, at, indent):
    found = {}
    at = _next(lines, at)
    while at < len(lines) and _indent(lines[at]) == indent:
        match = KEY.match(lines[at][indent:])
        if not match:
            raise Unreadable(f"line {at + 1}: expected `key: value`, got {lines[at]!r}")
        key, text = match.group(1), (match.group(2) or "").strip()
        if key in found:
            raise Unreadable(f"line {at + 1}: `{key}` stands twice")
        found[key], at = _value(lines, at, indent, text)
        at = _next(lines, at)
    return found, at


def _value(lines, at, indent, text):
    if text in ("|", ">-"):
        return _block(lines, at + 1, indent, folded=text == ">-")
    if text:
        return _scalar(text), at + 1
    below = _next(lines, at + 1)
    if below < len(lines) and lines[below].lstrip().startswith("- "):
        return _list(lines, below, _indent(lines[below]))
    return _map(lines, below, _indent(lines[below]))


def _list(lines, at, indent):
    found = []
    while at < len(lines) and _indent(lines[at]) == indent and lines[at].lstrip().startswith("- "):
        text = lines[at].lstrip()[2:].strip()
        if KEY.match(text):
            # A map, whose first key stands behind the dash.
            lines[at] = lines[at].replace("- ", "  ", 1)
            item, at = _map(lines, at, indent + 2)
            found.append(item)
        else:
            found.append(_scalar(text))
            at = _next(lines, at + 1)
    return found, at


def _block(lines, at, indent, folded):
    taken = []
    while at < len(lines) and (not lines[at].strip() or _indent(lines[at]) > indent):
        taken.append(lines[at])
        at += 1
    margin = min(_indent(line) for line in taken if line.strip())
    text = "\n".join(line[margin:] for line in taken).rstrip("\n")
    return (text.replace("\n", " ") if folded else text + "\n"), at


def _scalar(text):
    if text[0] in "&*!%@`" or re.search(r"\s#", text):
        raise Unreadable(f"not understood: {text!r}")
    if text[0] in "\"'":
        if len(text) < 2 or text[-1] != text[0] or "\\" in text or text[0] in text[1:-1]:
            raise Unreadable(f"quoting not understood: {text!r}")
        return text[1:-1]
    if text[0] == "[":
        return [_scalar(part.strip()) for part in _inside(text, "]").split(",")]
    if text[0] == "{":
        pairs = (part.split(":", 1) for part in _inside(text, "}").split(","))
        return {key.strip(): _scalar(value.strip()) for key, value in pairs}
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def _inside(text, end):
    if text[-1] != end:
        raise Unreadable(f"not closed: {text!r}")
    return text[1:-1]
