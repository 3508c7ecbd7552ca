"""Looks for a factor just below the square root of n, then deciphers as described."""

import math
import re
import sys
from pathlib import Path

text = (Path(sys.argv[1]) / "letter-3.txt").read_text(encoding="utf-8")
n, e, c = (int(re.search(rf"{name} = (\d+)", text).group(1)) for name in "nec")
p = math.isqrt(n)
while n % p:
    p -= 1
q = n // p
d = pow(e, -1, (p - 1) * (q - 1))
m = pow(c, d, n)
print(m.to_bytes(64, "big").strip(b"\0").decode())
