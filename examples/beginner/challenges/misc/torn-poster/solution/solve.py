"""Puts the nine pieces together by their white margins and reads the code."""

import io
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from workbench import picture, qr  # noqa: E402

PIECE = 13


def modules(png):
    pixels = picture.read_png(png)
    step = len(pixels) // PIECE
    return [[1 - pixels[y * step][x * step] for x in range(PIECE)] for y in range(PIECE)]


def white_edges(piece):
    """The piece's place as (row, column): an edge is white where five lines of modules are."""
    turned = [list(column) for column in zip(*piece)]

    def place(lines):
        if not any(map(any, lines[:5])):
            return 0
        return 2 if not any(map(any, lines[-5:])) else 1

    return place(piece), place(turned)


with zipfile.ZipFile(io.BytesIO((Path(sys.argv[1]) / "poster.zip").read_bytes())) as archive:
    pieces = [modules(archive.read(name)) for name in archive.namelist()]
places = {white_edges(piece): piece for piece in pieces}
poster = [sum((places[row, column][y] for column in range(3)), [])
          for row in range(3) for y in range(PIECE)]
print(qr.decode([row[5:34] for row in poster[5:34]]))
