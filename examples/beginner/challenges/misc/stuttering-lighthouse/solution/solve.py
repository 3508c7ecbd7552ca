"""Reads the lamp's times as Morse code."""

import csv
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from morse import CODE  # noqa: E402

LETTERS = {signs: letter for letter, signs in CODE.items()}
signs = ""
with open(Path(sys.argv[1]) / "lamp.csv", encoding="utf-8") as log:
    for row in csv.DictReader(log):
        length = int(row["milliseconds"])
        if row["state"] == "on":
            signs += "." if length < 400 else "-"
        elif length > 1000:
            signs += " / "
        elif length > 400:
            signs += " "
words = ["".join(LETTERS[letter] for letter in word.split()) for word in signs.split("/")]
print("pier{" + "_".join(word for word in words if word) + "}")
