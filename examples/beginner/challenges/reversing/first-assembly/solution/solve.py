"""XORs the table with dl: its first value and its step are read from the listing."""

import re
import sys
from pathlib import Path

listing = (Path(sys.argv[1]) / "fog_horn.s").read_text(encoding="utf-8")
table = [int(byte, 16) for row in re.findall(r"\.byte (.*)", listing) for byte in row.split(",")]
first = int(re.search(r"mov\s+dl, (\w+)", listing).group(1), 0)
step = int(re.search(r"add\s+dl, (\w+)", listing).group(1), 0)
print(bytes(byte ^ (first + step * place) % 256 for place, byte in enumerate(table)).decode())
