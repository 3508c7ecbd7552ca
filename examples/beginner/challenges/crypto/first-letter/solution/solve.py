"""Tries the 25 shifts until a flag appears."""

import re
import sys
from pathlib import Path

letter = (Path(sys.argv[1]) / "description.txt").read_text(encoding="utf-8").split("```")[1]
for shift in range(1, 26):
    moved = "".join(chr((ord(c) - 97 + shift) % 26 + 97) if c.islower() else c for c in letter)
    found = re.search(r"pier\{\w+\}", moved)
    if found:
        print(found.group())
        break
