"""Writes pump_house.py with both keys in the forms that it compares with."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

(main, _), (spare, _) = challenge_file.flags(challenge_file.read(HERE.parent / "challenge.yml"))
program = (HERE / "pump_house.template.py").read_text(encoding="utf-8")
program = program.replace("ON_THE_HOOK", repr(main[::2] + main[1::2]).replace("'", '"'))
program = program.replace("WORN_TEETH", bytes(byte ^ 13 for byte in spare.encode()).hex())
(Path(sys.argv[1]) / "pump_house.py").write_text(program, encoding="utf-8")
