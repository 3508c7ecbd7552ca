"""Writes printer.py with the flag under Fibonacci's numbers."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

fibonacci = [0, 1]
while len(fibonacci) < 200:
    fibonacci.append(fibonacci[-1] + fibonacci[-2])
flag = challenge_file.flag(HERE)
ink = [ord(letter) ^ fibonacci[20 + 3 * place] % 256 for place, letter in enumerate(flag)]
program = (HERE / "printer.template.py").read_text(encoding="utf-8")
lines = (", ".join(map(str, ink[i:i + 14])) for i in range(0, len(ink), 14))
program = program.replace("NUMBERS", ",\n    ".join(lines))
(Path(sys.argv[1]) / "printer.py").write_text(program, encoding="utf-8")
