"""Writes office.pcap: DNS questions, some of which carry a numbered message in hexadecimal."""

import random
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import capture, challenge_file  # noqa: E402

MESSAGE = "Tell the gulls: fish delivery on Sunday at six, rear door. The word is {}. Scree!"
USUAL = ["tides.pierzero.example", "www.example.org", "coffee.pierzero.example",
         "mail.example.net", "time.example.org", "cats.example.com", "ferry.example"]
OFFICE, RESOLVER, PIECE = "192.168.0.33", "192.168.0.1", 10

chance = random.Random("gulls")
message = MESSAGE.format(challenge_file.flag(HERE)).encode()
pieces = [f"{number}.{message[at:at + PIECE].hex()}.gulls.example"
          for number, at in enumerate(range(0, len(message), PIECE))]
names = pieces + chance.sample(pieces, 3) + chance.choices(USUAL, k=40)
chance.shuffle(names)
packets, now = [], 0
for asked in names:
    now += chance.randint(50, 2500)
    number, port = chance.getrandbits(16), chance.randint(40000, 60000)
    labels = b"".join(bytes([len(part)]) + part.encode() for part in asked.split(".")) + b"\0"
    question = labels + struct.pack(">HH", 1, 1)
    query = struct.pack(">HHHHHH", number, 0x0100, 1, 0, 0, 0) + question
    packets.append((now, capture.udp(OFFICE, port, RESOLVER, 53, query)))
    found = struct.pack(">HHHIH", 0xC00C, 1, 1, 300, 4) + capture.address("203.0.113.7")
    answer = struct.pack(">HHHHHH", number, 0x8180, 1, 1, 0, 0) + question + found
    packets.append((now + 12, capture.udp(RESOLVER, 53, OFFICE, port, answer)))
(Path(sys.argv[1]) / "office.pcap").write_bytes(capture.write(packets))
