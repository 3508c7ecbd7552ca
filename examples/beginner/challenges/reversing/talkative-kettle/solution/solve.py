"""Asks the kettle about each letter, with a very small WebAssembly machine.

A person has a browser to run the module in; this runs just the instructions that it uses.
"""

import sys
from pathlib import Path

CALCULATIONS = {
    0x46: lambda a, b: int(a == b), 0x6A: lambda a, b: a + b & 0xFFFFFFFF,
    0x6C: lambda a, b: a * b & 0xFFFFFFFF, 0x71: lambda a, b: a & b, 0x73: lambda a, b: a ^ b,
}


def sections(module):
    at, found = 8, {}
    while at < len(module):
        found[module[at]] = module[at + 2:at + 2 + module[at + 1]]
        at += 2 + module[at + 1]
    return found


def constant(code, at):
    """A signed LEB128 number and the place behind it."""
    value, shift = 0, 0
    while True:
        value, shift, at = value | (code[at] & 127) << shift, shift + 7, at + 1
        if code[at - 1] < 128:
            return value - (1 << shift if code[at - 1] & 64 else 0), at


def run(code, memory, *arguments):
    stack, at = [], 0
    while code[at] != 0x0B:
        instruction, at = code[at], at + 1
        if instruction == 0x20:
            stack.append(arguments[code[at]])
            at += 1
        elif instruction == 0x41:
            value, at = constant(code, at)
            stack.append(value)
        elif instruction == 0x2D:
            stack.append(memory[stack.pop() + code[at + 1]])
            at += 2
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(CALCULATIONS[instruction](left, right))
    return stack.pop()


parts = sections((Path(sys.argv[1]) / "kettle.wasm").read_bytes())
bodies, at = [], 1
while at < len(parts[10]):
    bodies.append(parts[10][at + 2:at + 1 + parts[10][at]])
    at += 1 + parts[10][at]
length, check = bodies
memory = parts[11][6:]
print("".join(
    next(chr(letter) for letter in range(32, 127) if run(check, memory, place, letter))
    for place in range(run(length, memory))))
