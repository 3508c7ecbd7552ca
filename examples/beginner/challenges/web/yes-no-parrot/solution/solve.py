"""Reads the answers to the guest's guesses: the rare size of an answer means yes."""

import collections
import re
import sys
from pathlib import Path
from urllib.parse import unquote

log = unquote((Path(sys.argv[1]) / "access.log").read_text(encoding="utf-8"))
guesses = re.findall(r"substr\(secret,(\d+),1\)=char\((\d+)\).* 200 (\d+)$", log, re.MULTILINE)
yes = collections.Counter(size for _, _, size in guesses).most_common()[-1][0]
secret = {int(place): chr(int(letter)) for place, letter, size in guesses if size == yes}
print("".join(secret[place] for place in sorted(secret)))
