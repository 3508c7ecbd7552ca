"""Takes a flag from each of the page, the style sheet and the script."""

import re
import sys
from pathlib import Path

page, style, script = (
    (Path(sys.argv[1]) / name).read_text(encoding="utf-8")
    for name in ("index.html", "bakery.css", "bakery.js"))
print(re.search(r"Flag one of three: (\S+)", page).group(1))
print(re.search(r"Flag two of three: ([^\"]+)", style).group(1))
three = re.search(r"flagThreeOfThree = \[(.*)\]", script).group(1)
print("".join(re.findall(r"\"([^\"]*)\"", three)))
