"""Writes fog_horn.s with the password under a key that grows by 7."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

flag = challenge_file.flag(HERE).encode()
table = [f"0x{byte ^ (0x5A + 7 * place) % 256:02x}" for place, byte in enumerate(flag)]
rows = (".byte " + ", ".join(table[i:i + 8]) for i in range(0, len(table), 8))
listing = (HERE / "fog_horn.template.s").read_text(encoding="utf-8")
listing = listing.replace("TABLE", "\n        ".join(rows))
(Path(sys.argv[1]) / "fog_horn.s").write_text(listing, encoding="utf-8")
