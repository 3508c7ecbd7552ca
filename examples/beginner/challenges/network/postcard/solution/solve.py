"""Follows the telnet stream and applies the corrections to the password."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from workbench import capture  # noqa: E402

asked, keys = False, b""
for _, from_port, _, to_port, _, data in capture.read(
        (Path(sys.argv[1]) / "lamp.pcap").read_bytes()):
    if from_port == 23 and b"Password" in data:
        asked = True
    elif to_port == 23 and asked:
        keys += data
password = []
for key in keys.split(b"\r")[0].decode():
    if key == "\x7f":
        password.pop()
    else:
        password.append(key)
print("".join(password))
