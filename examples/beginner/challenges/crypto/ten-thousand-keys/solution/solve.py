"""Tries all codes with the lock itself."""

import re
import runpy
import sys
from pathlib import Path

page = Path(sys.argv[1])
unlock = runpy.run_path(str(page / "locker.py"))["unlock"]
sealed = bytes.fromhex((page / "locker.hex").read_text(encoding="ascii"))
opened = (unlock(f"{code:04}", sealed) for code in range(10_000))
found = (re.search(rb"pier\{\w+\}", text) for text in opened)
print(next(flag.group() for flag in found if flag).decode())
