"""Finds the keyword from the known beginning and takes it off the letter."""

import itertools
import re
import sys
from pathlib import Path

BEGINNING = "mydearcousin"


def minus(letter, other):
    return chr((ord(letter) - ord(other)) % 26 + 97)


text = (Path(sys.argv[1]) / "letter-2.txt").read_text(encoding="utf-8")
letters = [c for c in text if c.islower()]
stream = "".join(map(minus, letters, BEGINNING))
length = next(n for n in range(1, len(stream)) if stream.startswith(stream[n:]))
keyword = itertools.cycle(stream[:length])
clear = "".join(minus(c, next(keyword)) if c.islower() else c for c in text)
print(re.search(r"pier\{\w+\}", clear).group())
