"""Searches all pages of the guest book."""

import re
import sys
import zipfile
from pathlib import Path

with zipfile.ZipFile(Path(sys.argv[1]) / "guests.zip") as pages:
    text = "".join(pages.read(name).decode() for name in pages.namelist())
print(re.search(r"pier\{[^}]*\}", text)[0])
