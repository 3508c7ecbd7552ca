"""Network captures in the classic pcap format: Ethernet, IPv4, TCP, UDP, right checksums."""

import struct

BEGINNING_SECONDS = 1_700_900_000  # 25 November 2023, early morning


def address(text):
    return bytes(int(part) for part in text.split("."))


def _checksum(data):
    data += b"\x00" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def _packet(source, target, protocol, segment, checksum_at):
    pseudo = address(source) + address(target) + struct.pack(">BBH", 0, protocol, len(segment))
    check = struct.pack(">H", _checksum(pseudo + segment))
    segment = segment[:checksum_at] + check + segment[checksum_at + 2:]
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(segment), 0, 0x4000, 64, protocol, 0)
    head += address(source) + address(target)
    head = head[:10] + struct.pack(">H", _checksum(head)) + head[12:]
    cards = [b"\x02\x00" + address(end) for end in (target, source)]
    return cards[0] + cards[1] + b"\x08\x00" + head + segment


def udp(source, source_port, target, target_port, data):
    segment = struct.pack(">HHHH", source_port, target_port, 8 + len(data), 0) + data
    return _packet(source, target, 17, segment, 6)


def tcp(source, source_port, target, target_port, sequence, acknowledged, flags, data=b""):
    segment = struct.pack(">HHIIBBHHH", source_port, target_port, sequence, acknowledged, 0x50,
                          flags, 64240, 0, 0) + data
    return _packet(source, target, 6, segment, 16)


def write(packets):
    """A capture of (milliseconds from the beginning, frame)."""
    out = bytearray(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for at_ms, frame in packets:
        out += struct.pack("<IIII", BEGINNING_SECONDS + at_ms // 1000, at_ms % 1000 * 1000,
                           len(frame), len(frame)) + frame
    return bytes(out)


def read(data):
    """Each packet as (source, source port, target, target port, "tcp" or "udp", payload)."""
    at, packets = 24, []
    while at < len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        ip = data[at + 16 + 14:at + 16 + length]
        at += 16 + length
        segment = ip[(ip[0] & 15) * 4:]
        ends = [".".join(map(str, ip[i:i + 4])) for i in (12, 16)]
        ports = struct.unpack_from(">HH", segment)
        start, kind = ((segment[12] >> 4) * 4, "tcp") if ip[9] == 6 else (8, "udp")
        packets.append((ends[0], ports[0], ends[1], ports[1], kind, segment[start:]))
    return packets
