"""Writes deflate, zlib, gzip and zip that are the same bytes on every machine.

The standard `zlib` may compress differently from version to version. This writer knows two things
only, fixed Huffman codes and runs of the byte before, which is enough for small files and for
pictures. Formats: RFC 1950, 1951, 1952 and PKWARE's APPNOTE.
"""

import struct
import zlib

# (smallest length, number of extra bits, code) of a match, RFC 1951 section 3.2.5.
LENGTHS = [(3 + i, 0, 257 + i) for i in range(8)]
for bits in range(1, 6):
    LENGTHS += [(((4 + i) << bits) + 3, bits, 261 + 4 * bits + i) for i in range(4)]
LENGTHS[-1] = (258, 0, 285)
LENGTHS.insert(-1, (227, 5, 284))


class _Bits:
    def __init__(self):
        self.value, self.count = 0, 0
        self.out = bytearray()

    def number(self, value, width):
        """Appends a number, its lowest bit first."""
        self.value |= value << self.count
        self.count += width
        while self.count >= 8:
            self.out.append(self.value & 0xFF)
            self.value >>= 8
            self.count -= 8

    def code(self, value, width):
        """Appends a Huffman code, its highest bit first."""
        self.number(int(format(value, f"0{width}b")[::-1], 2), width)

    def symbol(self, symbol):
        """Appends a literal or length symbol in the fixed code."""
        if symbol < 144:
            self.code(0x30 + symbol, 8)
        elif symbol < 256:
            self.code(0x190 + symbol - 144, 9)
        elif symbol < 280:
            self.code(symbol - 256, 7)
        else:
            self.code(0xC0 + symbol - 280, 8)


def raw(data):
    """A bare deflate stream of one block."""
    bits = _Bits()
    bits.number(1, 1)
    bits.number(1, 2)
    at = 0
    while at < len(data):
        run = _run(data, at)
        if run >= 3:
            base, extra, code = next(row for row in reversed(LENGTHS) if row[0] <= run)
            bits.symbol(code)
            bits.number(run - base, extra)
            bits.code(0, 5)
            at += run
        else:
            bits.symbol(data[at])
            at += 1
    bits.symbol(256)
    bits.number(0, -bits.count % 8)
    return bytes(bits.out)


def _run(data, at):
    """How many bytes from `at` repeat the byte before."""
    length = 0
    while 0 < at and at + length < len(data) and length < 258 and data[at + length] == data[at - 1]:
        length += 1
    return length


def zlib_stream(data):
    return b"\x78\x01" + raw(data) + struct.pack(">I", zlib.adler32(data))


def gzip_file(data, name):
    head = b"\x1f\x8b\x08\x08" + bytes(4) + b"\x00\x03" + name.encode() + b"\x00"
    return head + raw(data) + struct.pack("<II", zlib.crc32(data), len(data))


def zip_file(members):
    """A zip of {name: bytes}, dated 1 January 1980."""
    body, directory = bytearray(), bytearray()
    for name, data in members.items():
        packed = raw(data)
        fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0x21, zlib.crc32(data), len(packed),
                             len(data), len(name), 0)
        directory += b"PK\x01\x02" + struct.pack("<H", 20) + fields
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\x03\x04" + fields + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)
    return bytes(body + directory + b"PK\x05\x06" + end)
