"""Writes letter-3.txt: RSA with two primes next to each other."""

import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402


def is_prime(number):
    """Miller and Rabin's test with the first primes as bases, ample for an example."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        power = pow(base, odd, number)
        if power not in (1, number - 1) and all(
                pow(power, 1 << step, number) != number - 1 for step in range(1, twos)):
            return False
    return True


def next_prime(number):
    number += 1 + number % 2
    while not is_prime(number):
        number += 2
    return number


p = next_prime(random.Random("neighbours").getrandbits(256) | 1 << 255)
q = next_prime(p)
e = 65537
c = pow(int.from_bytes(challenge_file.flag(HERE).encode(), "big"), e, p * q)
text = f"n = {p * q}\ne = {e}\nc = {c}\n"
(Path(sys.argv[1]) / "letter-3.txt").write_text(text, encoding="utf-8")
