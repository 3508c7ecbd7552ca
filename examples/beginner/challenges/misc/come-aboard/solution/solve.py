"""Finds the text in the description that has the form of a flag."""

import re
import sys
from pathlib import Path

description = (Path(sys.argv[1]) / "description.txt").read_text(encoding="utf-8")
print(re.search(r"pier\{\w+\}", description).group())
