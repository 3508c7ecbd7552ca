"""Printer of the harbour office. Usage: python3 printer.py, and patience."""

INK = [
    29, 152, 84, 199, 126, 190, 91, 92, 234, 210, 62, 82, 157, 8,
    183, 171, 120, 142, 245, 37, 146, 199, 214, 253, 211, 162, 242, 184,
]


def walk(steps):
    """In how many ways can you walk down the pier? Count them all. Do not hurry."""
    if steps < 2:
        return steps
    return walk(steps - 1) + walk(steps - 2)


if __name__ == "__main__":
    for place, number in enumerate(INK):
        print(chr(number ^ walk(20 + 3 * place) % 256), end="", flush=True)
    print()
