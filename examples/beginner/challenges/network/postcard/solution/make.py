"""Writes lamp.pcap: a telnet session of single keys, two mistyped, and some DNS around it."""

import random
import struct
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import capture, challenge_file  # noqa: E402

CLIENT, SERVER, PORT = "192.168.0.21", "192.168.0.5", 49732
SYN, FIN, PSH, ACK = 2, 1, 8, 16

chance = random.Random("postcard")
packets, now = [], 0
sent = {CLIENT: 1000, SERVER: 7000}


def say(who, flags, data=b"", wait=40):
    global now
    other = SERVER if who == CLIENT else CLIENT
    ports = (PORT, 23) if who == CLIENT else (23, PORT)
    now += chance.randint(wait // 2, wait)
    acknowledged = sent[other] if flags & ACK else 0
    packets.append((now, capture.tcp(
        who, ports[0], other, ports[1], sent[who], acknowledged, flags, data)))
    sent[who] += len(data) + (1 if flags & (SYN | FIN) else 0)


def keys(text, echoed):
    for key in text:
        say(CLIENT, PSH | ACK, key.encode(), 300)
        if echoed:
            say(SERVER, PSH | ACK, b"\r\n" if key == "\r" else key.encode())
        else:
            say(SERVER, ACK)


def look_up(host):
    global now
    now += 300
    labels = b"".join(bytes([len(part)]) + part.encode() for part in host.split(".")) + b"\0"
    question = struct.pack(">HHHHHH", chance.getrandbits(16), 0x100, 1, 0, 0, 0) + labels
    packets.append((now, capture.udp(
        CLIENT, chance.randint(40000, 60000), "192.168.0.1", 53, question + b"\0\1\0\1")))


flag = challenge_file.flag(HERE)
typed = flag[:9] + "e\x7f" + flag[9:20] + "m\x7f" + flag[20:]
look_up("tides.pierzero.example")
look_up("lamp.pierzero.example")
say(CLIENT, SYN)
say(SERVER, SYN | ACK)
say(CLIENT, ACK)
say(SERVER, PSH | ACK, b"Lighthouse of Pier Zero. Mind your eyes.\r\nLogin: ")
keys("ines\r", echoed=True)
say(SERVER, PSH | ACK, b"Password: ")
keys(typed + "\r", echoed=False)
say(SERVER, PSH | ACK, b"\r\nWelcome, Ines. The lamp is ON.\r\nlamp> ")
look_up("coffee.pierzero.example")
keys("blink\r", echoed=True)
say(SERVER, PSH | ACK, b"Blinking.\r\nlamp> ")
keys("exit\r", echoed=True)
say(SERVER, FIN | ACK)
say(CLIENT, FIN | ACK)
say(SERVER, ACK)
(Path(sys.argv[1]) / "lamp.pcap").write_bytes(capture.write(packets))
