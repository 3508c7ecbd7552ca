"""Runs the printer with a `walk` that remembers what it has counted."""

import functools
import sys
from pathlib import Path

program = (Path(sys.argv[1]) / "printer.py").read_text(encoding="utf-8")
printer = {"__name__": "printer"}
exec(compile(program, "printer.py", "exec"), printer)
printer["walk"] = functools.cache(printer["walk"])
print("".join(chr(number ^ printer["walk"](20 + 3 * place) % 256)
              for place, number in enumerate(printer["INK"])))
