"""The lock of the lockers at Pier Zero. Usage: python3 locker.py CODE, beside locker.hex."""

import hashlib
import sys


def key_stream(code, length):
    """As many bytes as needed, made from nothing but the code."""
    stream = b""
    while len(stream) < length:
        block = f"{code}/{len(stream)}"
        stream += hashlib.sha256(block.encode()).digest()
    return stream


def unlock(code, sealed):
    return bytes(a ^ b for a, b in zip(sealed, key_stream(code, len(sealed))))


if __name__ == "__main__":
    with open("locker.hex", encoding="ascii") as file:
        print(unlock(sys.argv[1], bytes.fromhex(file.read())))
