"""Writes lamp.csv: the flag's words as lamp times, each up to 15 percent off."""

import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[3]), str(HERE)]

from morse import CODE  # noqa: E402
from workbench import challenge_file  # noqa: E402

words = challenge_file.flag(HERE).removeprefix("pier{").removesuffix("}").upper().split("_")
chance = random.Random("lamp")
rows = ["state,milliseconds"]
for word in words:
    for letter in word:
        for sign in CODE[letter]:
            rows.append(f"on,{int((200 if sign == '.' else 600) * chance.uniform(0.85, 1.15))}")
            rows.append(f"off,{int(200 * chance.uniform(0.85, 1.15))}")
        rows[-1] = f"off,{int(600 * chance.uniform(0.85, 1.15))}"
    rows[-1] = f"off,{int(1400 * chance.uniform(0.85, 1.15))}"
(Path(sys.argv[1]) / "lamp.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
