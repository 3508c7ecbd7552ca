"""Printer of the harbour office. Usage: python3 printer.py, and patience."""

INK = [
    NUMBERS,
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
