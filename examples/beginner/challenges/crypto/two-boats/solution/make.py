"""Writes two messages under the same pad, and one of the two in the clear."""

import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

WEATHER = ("PIER ZERO WEATHER. Wind north-west, fresh, later strong. Sea moderate, cat grumpy. "
           "Visibility good except behind the fish market. Tomorrow the same but wetter.\n")
MESSAGE = ("Nello, tell nobody: the big tuna are behind the third buoy, every day at five. "
           "If anyone asks, the word is {}. Bring ice.\n")

pad = random.Random("pad").randbytes(200)
out = Path(sys.argv[1])
out.joinpath("weather.txt").write_text(WEATHER, encoding="utf-8")
for name, text in (("a", WEATHER), ("b", MESSAGE.format(challenge_file.flag(HERE)))):
    sealed = bytes(x ^ y for x, y in zip(text.encode(), pad))
    out.joinpath(f"boat-{name}.hex").write_text(sealed.hex() + "\n", encoding="utf-8")
