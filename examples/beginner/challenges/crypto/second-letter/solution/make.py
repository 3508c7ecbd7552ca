"""Writes letter-2.txt, enciphered with the cat's name."""

import itertools
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

LETTER = """my dear cousin,

i hear that somebody has read my first letter, and laughed. let them try this one: the keyword
is the name of the only creature in this harbour that cannot be bribed. (i tried. it ate the fish
and then bit me.)

the goods come in on sunday with the olive boat, between the barrels. the new word for the man
at the warehouse door is FLAG and he will ask you twice, because he is a little deaf.

yours at low tide,
g.
"""
keyword = itertools.cycle("segfault")
text = LETTER.replace("FLAG", challenge_file.flag(HERE))
moved = (chr((ord(c) + ord(next(keyword)) - 2 * 97) % 26 + 97) if c.islower() else c for c in text)
(Path(sys.argv[1]) / "letter-2.txt").write_text("".join(moved), encoding="utf-8")
