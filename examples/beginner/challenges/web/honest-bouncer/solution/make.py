"""Writes club.html with the password as the numbers that the script compares with."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

numbers = [ord(c) + place for place, c in enumerate(reversed(challenge_file.flag(HERE)))]
page = (HERE / "club.template.html").read_text(encoding="utf-8")
page = page.replace("NUMBERS", ", ".join(map(str, numbers)))
(Path(sys.argv[1]) / "club.html").write_text(page, encoding="utf-8")
