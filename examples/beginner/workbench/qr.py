"""QR codes of one size: version 3 (29 by 29), error correction L, byte mode, mask 0. ISO/IEC 18004.

`encode` makes the modules (1 is dark), `decode` reads them back without correcting errors.
"""

SIZE, DATA, CORRECTION = 29, 55, 15
FORMAT = 0b111011111000100  # level L, mask 0, with its check bits


def encode(text):
    """The modules of a QR code that says `text`, at most 53 bytes."""
    data = text.encode()
    if len(data) > DATA - 2:
        raise ValueError("too long for version 3-L")
    bits = f"0100{len(data):08b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    words = [int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)]
    words += [0xEC, 0x11] * DATA
    words = words[:DATA]
    bits = "".join(f"{word:08b}" for word in words + _correction(words))
    modules, fixed = _frame()
    for place, bit in zip(_path(fixed), bits + "0" * 7):
        modules[place[0]][place[1]] = int(bit) ^ _mask(*place)
    return modules


def decode(modules):
    """The text of a QR code as `encode` makes it."""
    frame, fixed = _frame()
    for y in range(SIZE):
        for x in range(SIZE):
            if fixed[y][x] and modules[y][x] != frame[y][x]:
                raise ValueError(f"not a code of this kind: module {x},{y}")
    bits = "".join(str(modules[y][x] ^ _mask(y, x)) for y, x in _path(fixed))
    length = int(bits[4:12], 2)
    return bytes(int(bits[12 + 8 * i:20 + 8 * i], 2) for i in range(length)).decode()


def _mask(y, x):
    return int((y + x) % 2 == 0)


def _correction(words):
    power, log = [1], {1: 0}
    for i in range(1, 255):
        value = power[-1] << 1
        power.append(value ^ 0x11D if value > 255 else value)
        log[power[-1]] = i

    def times(a, b):
        return power[(log[a] + log[b]) % 255] if a and b else 0

    generator = [1]
    for i in range(CORRECTION):
        shifted = generator + [0]
        for j, factor in enumerate(generator):
            shifted[j + 1] ^= times(factor, power[i])
        generator = shifted
    rest = words + [0] * CORRECTION
    for i in range(len(words)):
        for j, factor in enumerate(generator[1:], 1):
            rest[i + j] ^= times(factor, rest[i])
    return rest[len(words):]


def _frame():
    """The modules that are the same in every code, and which those are."""
    modules = [[0] * SIZE for _ in range(SIZE)]
    fixed = [[0] * SIZE for _ in range(SIZE)]

    def put(y, x, dark):
        if 0 <= y < SIZE and 0 <= x < SIZE:
            modules[y][x], fixed[y][x] = int(dark), 1

    for i in range(SIZE):
        put(6, i, i % 2 == 0)
        put(i, 6, i % 2 == 0)
    for cy, cx in ((3, 3), (3, SIZE - 4), (SIZE - 4, 3)):
        for y in range(-4, 5):
            for x in range(-4, 5):
                put(cy + y, cx + x, max(abs(y), abs(x)) in (0, 1, 3))
    for y in range(-2, 3):
        for x in range(-2, 3):
            put(22 + y, 22 + x, max(abs(y), abs(x)) != 1)
    first = [(i, 8) for i in (0, 1, 2, 3, 4, 5, 7, 8)] + [(8, i) for i in (7, 5, 4, 3, 2, 1, 0)]
    second = [(8, SIZE - 1 - i) for i in range(8)] + [(SIZE - 7 + i, 8) for i in range(7)]
    for i in range(15):
        put(*first[i], FORMAT >> i & 1)
        put(*second[i], FORMAT >> i & 1)
    put(SIZE - 8, 8, 1)
    return modules, fixed


def _path(fixed):
    """The places of data in reading order: pairs of columns, up and down, from the right."""
    upward = True
    for right in (x for x in range(SIZE - 1, 0, -2)):
        right -= right <= 6
        for step in range(SIZE):
            y = SIZE - 1 - step if upward else step
            yield from ((y, x) for x in (right, right - 1) if not fixed[y][x])
        upward = not upward
