"""Takes a piece of the flag from the page, the style sheet and the script."""

import re
import sys
from pathlib import Path

page, style, script = (
    (Path(sys.argv[1]) / name).read_text(encoding="utf-8")
    for name in ("index.html", "bakery.css", "bakery.js"))
one = re.search(r"Piece one of three: (\S+)", page).group(1)
two = re.search(r"Piece two of three: ([^\"]+)", style).group(1)
three = re.search(r"pieceThreeOfThree = \[(.*)\]", script).group(1)
print(one + two + "".join(re.findall(r"\"([^\"]*)\"", three)))
