"""Writes locker.hex. The lock itself, locker.py, is written by hand and stays as it is."""

import runpy
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

LOCK = HERE.parent / "dist" / "locker.py"
text = f"One sandwich, half eaten. A note: {challenge_file.flag(HERE)}. A second sandwich.\n"
sealed = runpy.run_path(str(LOCK))["unlock"]("7391", text.encode())
out = Path(sys.argv[1])
out.joinpath("locker.hex").write_text(sealed.hex() + "\n", encoding="ascii")
if out.resolve() != LOCK.parent:
    shutil.copy(LOCK, out)
