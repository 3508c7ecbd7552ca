"""Reads every object that the bundle holds, the files of all commits among them.

A person uses git; this reads the pack itself, so that the check needs no git.
"""

import re
import sys
import zlib
from pathlib import Path

data = (Path(sys.argv[1]) / "tides.bundle").read_bytes()
pack = data[data.index(b"\n\n") + 2:]
at, history = 12, b""
for _ in range(int.from_bytes(pack[8:12], "big")):
    while pack[at] & 128:
        at += 1
    stream = zlib.decompressobj()
    history += stream.decompress(pack[at + 1:])
    at = len(pack) - len(stream.unused_data)
print(re.search(rb"pier\{\w+\}", history).group().decode())
