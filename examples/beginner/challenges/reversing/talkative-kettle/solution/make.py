"""Writes kettle.wasm, instruction by instruction, and kettle.html with the same bytes inside.

Format: WebAssembly core specification 1.0, section 5.
"""

import base64
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

I32, GET, CONST, LOAD8, END = 0x7F, 0x20, 0x41, 0x2D, 0x0B
EQ, ADD, MUL, AND, XOR = 0x46, 0x6A, 0x6C, 0x71, 0x73


def signed(value):
    """A number as signed LEB128."""
    out = bytearray()
    while True:
        low, value = value & 127, value >> 7
        if value == 0 and not low & 64:
            return bytes([*out, low])
        out.append(low | 128)


def vector(items):
    return bytes([len(items)]) + b"".join(items)


def section(number, body):
    if len(body) > 127:
        raise ValueError("longer than one byte can say")
    return bytes([number, len(body)]) + body


def function(*code):
    body = b"\x00" + b"".join(bytes([c]) if isinstance(c, int) else c for c in code) + bytes([END])
    return bytes([len(body)]) + body


def name(text):
    return bytes([len(text)]) + text.encode()


word = challenge_file.flag(HERE).encode()
table = bytes((byte ^ (31 * place + 77)) & 255 for place, byte in enumerate(word))
length = function(CONST, signed(len(word)))
check = function(
    GET, b"\x01", GET, b"\x00", CONST, signed(31), MUL, CONST, signed(77), ADD, XOR,
    CONST, signed(255), AND, GET, b"\x00", LOAD8, b"\x00\x00", EQ)
wasm = b"\0asm\x01\0\0\0" + b"".join([
    section(1, vector([bytes([0x60, 0, 1, I32]), bytes([0x60, 2, I32, I32, 1, I32])])),
    section(3, vector([b"\x00", b"\x01"])),
    section(5, vector([b"\x00\x01"])),
    section(7, vector([name("length") + b"\x00\x00", name("check") + b"\x00\x01"])),
    section(10, vector([length, check])),
    section(11, vector([b"\x00" + bytes([CONST]) + signed(0) + bytes([END, len(table)]) + table])),
])
page = (HERE / "kettle.template.html").read_text(encoding="utf-8")
page = page.replace("MODULE", base64.b64encode(wasm).decode())
(Path(sys.argv[1]) / "kettle.wasm").write_bytes(wasm)
(Path(sys.argv[1]) / "kettle.html").write_text(page, encoding="utf-8")
