"""Collects the numbered pieces from the names under gulls.example."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from workbench import capture  # noqa: E402


def asked_name(query):
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1:at + 1 + query[at]].decode())
        at += 1 + query[at]
    return labels


pieces = {}
for *_, to_port, _, query in capture.read((Path(sys.argv[1]) / "office.pcap").read_bytes()):
    labels = asked_name(query)
    if to_port == 53 and labels[-2:] == ["gulls", "example"]:
        pieces[int(labels[0])] = bytes.fromhex(labels[1])
message = b"".join(pieces[number] for number in sorted(pieces)).decode()
print(re.search(r"pier\{\w+\}", message).group())
