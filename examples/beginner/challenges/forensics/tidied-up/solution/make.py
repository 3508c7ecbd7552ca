"""Writes tides.bundle, a Git repository of four commits, object by object.

Formats: gitformat-bundle (version 2) and gitformat-pack (version 2, no deltas).
"""

import hashlib
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file, deflate  # noqa: E402

KINDS = {"commit": 1, "tree": 2, "blob": 3}
TIDES = "# Tides at Pier Zero, metres above the cat's tail\n"
MONDAY = "monday     05:12 low 0.2   11:31 high 1.1   17:40 low 0.3\n"
TUESDAY = "tuesday    06:02 low 0.2   12:20 high 1.2   18:31 low 0.2\n"
KEY = "Door of the lamp room, in case I forget:\n{}\n"
IGNORE = "*.tmp\ncat-hair/\n"

objects = {}


def store(kind, data):
    name = hashlib.sha1(f"{kind} {len(data)}\0".encode() + data).hexdigest()
    objects[name] = (kind, data)
    return name


def commit(files, message, at, parent):
    tree = b"".join(
        f"100644 {name}\0".encode() + bytes.fromhex(store("blob", text.encode()))
        for name, text in sorted(files.items()))
    who = f"Ines <ines@pierzero.example> {at} +0100"
    lines = [f"tree {store('tree', tree)}", *([f"parent {parent}"] if parent else []),
             f"author {who}", f"committer {who}", "", message, ""]
    return store("commit", "\n".join(lines).encode())


def pack():
    out = b"PACK" + struct.pack(">II", 2, len(objects))
    for kind, data in objects.values():
        size, first = len(data) >> 4, KINDS[kind] << 4 | len(data) & 15
        head = bytearray([first | (128 if size else 0)])
        while size:
            head.append(size & 127 | (128 if size > 127 else 0))
            size >>= 7
        out += bytes(head) + deflate.zlib_stream(data)
    return out + hashlib.sha1(out).digest()


tides = {"tides.txt": TIDES}
key = {"lamp-room.txt": KEY.format(challenge_file.flag(HERE))}
steps = [
    (tides, "Begin the tide table"),
    (tides | key, "Note a thing or two"),
    ({"tides.txt": TIDES + MONDAY, ".gitignore": IGNORE}, "Add Monday, tidy up, ignore cat hair"),
    ({"tides.txt": TIDES + MONDAY + TUESDAY, ".gitignore": IGNORE}, "Add Tuesday"),
]
head = None
for day, (files, message) in enumerate(steps):
    head = commit(files, message, 1_700_463_600 + day * 86_400, head)
refs = f"# v2 git bundle\n{head} refs/heads/main\n{head} HEAD\n\n"
(Path(sys.argv[1]) / "tides.bundle").write_bytes(refs.encode() + pack())
