"""Undoes both comparisons; prints the spare key, then the official one."""

import re
import sys
from pathlib import Path

program = (Path(sys.argv[1]) / "pump_house.py").read_text(encoding="utf-8")
hook = re.search(r"HOOK = \"(.*)\"", program).group(1)
calibration = bytes.fromhex(re.search(r"fromhex\(\"(.*)\"\)", program).group(1))
half = (len(hook) + 1) // 2
teeth = [""] * len(hook)
teeth[0::2], teeth[1::2] = hook[:half], hook[half:]
lock = {"__name__": "lock"}
exec(compile(program, "pump_house.py", "exec"), lock)
for key in (bytes(byte ^ 13 for byte in calibration).decode(), "".join(teeth)):
    if not lock["opens"](key):
        sys.exit("the lock does not open")
    print(key)
