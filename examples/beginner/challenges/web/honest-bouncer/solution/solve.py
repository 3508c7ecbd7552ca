"""Undoes `scramble`: subtracts each number's place and reverses."""

import re
import sys
from pathlib import Path

page = (Path(sys.argv[1]) / "club.html").read_text(encoding="utf-8")
numbers = re.search(r"wanted = \[([\d,\s]+)\]", page).group(1).split(",")
letters = [chr(int(number) - place) for place, number in enumerate(numbers)]
print("".join(reversed(letters)))
