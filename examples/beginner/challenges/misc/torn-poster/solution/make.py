"""Writes the QR code of the flag, with a margin of five modules, in nine shuffled pieces."""

import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file, deflate, picture, qr  # noqa: E402

PIECE, SCALE = 13, 12
code = qr.encode(challenge_file.flag(HERE))
poster = [[0] * 39 for _ in range(39)]
for y, row in enumerate(code):
    poster[y + 5][5:34] = row
pieces = [[row[x:x + PIECE] for row in poster[y:y + PIECE]]
          for y in range(0, 39, PIECE) for x in range(0, 39, PIECE)]
random.Random("cat").shuffle(pieces)
files, text = {}, []
for name, piece in zip("abcdefghi", pieces):
    pixels = [[1 - piece[y // SCALE][x // SCALE] for x in range(PIECE * SCALE)]
              for y in range(PIECE * SCALE)]
    files[f"piece-{name}.png"] = picture.png(pixels)
    text += [f"piece {name}"] + ["".join(".#"[dark] for dark in row) for row in piece] + [""]
(Path(sys.argv[1]) / "poster.zip").write_bytes(deflate.zip_file(files))
(Path(sys.argv[1]) / "poster.txt").write_text("\n".join(text), encoding="utf-8")
