"""XORs the two sealed messages and the known one."""

import re
import sys
from pathlib import Path

page = Path(sys.argv[1])
boats = [bytes.fromhex((page / f"boat-{name}.hex").read_text(encoding="utf-8")) for name in "ab"]
weather = (page / "weather.txt").read_bytes()
message = bytes(a ^ b ^ w for a, b, w in zip(*boats, weather)).decode()
print(re.search(r"pier\{\w+\}", message).group())
