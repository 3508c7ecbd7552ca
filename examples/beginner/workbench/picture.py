"""Black and white PNG pictures: written, read, and with letters drawn in and read back.

A picture is a list of rows, each a list of 0 (black) and 1 (white). A person reads the letters of a
solved picture with their eyes; the solvers read them here by comparing with the same letters.
"""

import struct
import zlib

from . import deflate

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Each letter: five columns from left to right, the lowest bit is the top of seven rows.
GLYPHS = {
    "0": "3e5149453e", "1": "00427f4000", "2": "4261514946", "3": "2141454b31", "4": "1814127f10",
    "5": "2745454539", "6": "3c4a494930", "7": "0171090503", "8": "3649494936", "9": "064949291e",
    "a": "2054545478", "b": "7f48444438", "c": "3844444420", "d": "384444487f", "e": "3854545418",
    "f": "087e090102", "g": "085454543c", "h": "7f08040478", "i": "00447d4000", "j": "2040443d00",
    "k": "7f10284400", "l": "00417f4000", "m": "7c04180478", "n": "7c08040478", "o": "3844444438",
    "p": "7c14141408", "q": "081414187c", "r": "7c08040408", "s": "4854545420", "t": "043f444020",
    "u": "3c4040207c", "v": "1c2040201c", "w": "3c4030403c", "x": "4428102844", "y": "0c5050503c",
    "z": "4464544c44", "{": "0008364100", "}": "0041360800", "_": "4040404040", " ": "0000000000",
}
LETTERS = {columns: letter for letter, columns in GLYPHS.items()}


def blank(width, height):
    return [[1] * width for _ in range(height)]


def write_text(picture, text, left, top, scale):
    """Draws one line of letters in black; each takes 6 by 7 dots of `scale` pixels."""
    if left + len(text) * 6 * scale > len(picture[0]):
        raise ValueError("the text is wider than the picture")
    for place, letter in enumerate(text):
        for column, bits in enumerate(bytes.fromhex(GLYPHS[letter])):
            for row in (row for row in range(7) if bits >> row & 1):
                x, y = left + (place * 6 + column) * scale, top + row * scale
                for line in picture[y:y + scale]:
                    line[x:x + scale] = [0] * scale


def read_letter(picture, left, top, scale):
    """The letter whose top left dot is at this place, or None."""
    columns = bytes(
        sum((1 - picture[top + row * scale][left + column * scale]) << row for row in range(7))
        for column in range(5))
    return LETTERS.get(columns.hex())


def read_text(picture, left, top, scale):
    """Reads a line of letters up to the first place where none is known."""
    text = ""
    for start in range(left, len(picture[0]) - 5 * scale + 1, 6 * scale):
        letter = read_letter(picture, start, top, scale)
        if letter is None:
            break
        text += letter
    return text.strip()


def find_text(picture, beginning, scale):
    """The first line of letters, from the top left, that begins with `beginning`."""
    height, width = 7 * scale, (6 * len(beginning) - 1) * scale
    for top in range(len(picture) - height + 1):
        for left in range(len(picture[0]) - width + 1):
            if all(read_letter(picture, left + place * 6 * scale, top, scale) == letter
                   for place, letter in enumerate(beginning)):
                return read_text(picture, left, top, scale)
    raise ValueError(f"nothing begins with {beginning}")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(picture, description=None):
    """The picture as a PNG of one bit a pixel, with a compressed text alternative if given."""
    height, width = len(picture), len(picture[0])
    rows = bytearray()
    for line in picture:
        bits = "".join(map(str, line)) + "0" * (-width % 8)
        rows += b"\x00" + int(bits, 2).to_bytes(len(bits) // 8, "big")
    out = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    if description:
        text = deflate.zlib_stream(description.encode("latin-1"))
        out += chunk(b"zTXt", b"Description\x00\x00" + text)
    return out + chunk(b"IDAT", deflate.zlib_stream(bytes(rows))) + chunk(b"IEND", b"")


def read_png(data):
    """The picture in a PNG as `png` writes it."""
    if not data.startswith(SIGNATURE):
        raise ValueError("no PNG signature")
    at, parts = len(SIGNATURE), {}
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        parts[kind] = parts.get(kind, b"") + data[at + 8:at + 8 + length]
        at += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    if (depth, colour) != (1, 0):
        raise ValueError("not a one-bit picture")
    rows, stride = zlib.decompress(parts[b"IDAT"]), (width + 7) // 8 + 1
    picture = []
    for y in range(height):
        bits = "".join(f"{byte:08b}" for byte in rows[y * stride + 1:(y + 1) * stride])
        picture.append([int(bit) for bit in bits[:width]])
    return picture
