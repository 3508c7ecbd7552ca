"""Puts the PNG signature back and reads the letters of the picture."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from workbench import picture  # noqa: E402

data = (Path(sys.argv[1]) / "photo.dat").read_bytes()
photo = picture.read_png(bytes.fromhex("89504e470d0a1a0a") + data[8:])
print(picture.find_text(photo, "pier{", 4))
