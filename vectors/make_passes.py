#!/usr/bin/env python3
"""Writes passes.json: team passes and per-team flags, computed independently of the program.

Ed25519 is the arithmetic of the verifier in examples/passes, with signing as in RFC 8032. Run it
after adding a case, then review the difference: `python3 vectors/make_passes.py`.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "examples" / "passes"))
import verify  # noqa: E402

SECRET = b"a secret for vectors"


def mac(key, purpose, *parts):
    message = b""
    for part in (purpose, *parts):
        message += len(part.encode()).to_bytes(8, "big") + part.encode()
    return hmac.new(key, message, hashlib.sha256).digest()


def handle_of(team):
    tag = mac(SECRET, "handle of a team", str(team)).hex()[:16]
    mask = int.from_bytes(mac(SECRET, "mask of a handle", tag)[:8], "big")
    return f"{tag}{(team % 2**64) ^ mask:016x}"


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def compress(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


BASE = verify.point((4 * pow(5, -1, verify.P) % verify.P).to_bytes(32, "little"))


def key_pair(seed):
    hashed = hashlib.sha512(seed).digest()
    scalar = verify.num(hashed[:32]) & ~7 & ~(1 << 255) | 1 << 254
    return scalar, hashed[32:], compress(verify.times(scalar, BASE))


def sign(seed, message):
    scalar, prefix, public = key_pair(seed)
    once = verify.num(hashlib.sha512(prefix + message).digest()) % verify.L
    point = compress(verify.times(once, BASE))
    hashed = verify.num(hashlib.sha512(point + public + message).digest()) % verify.L
    return point + ((once + hashed * scalar) % verify.L).to_bytes(32, "little")


EVENT = mac(SECRET, "event").hex()[:16]


def seed_of(challenge):
    return mac(SECRET, "signature of a pass", challenge)


def pass_of(challenge, team, event=EVENT):
    handle = handle_of(team)
    text = f"flagship-pass:1\n{event}\n{challenge}\n{handle}"
    return f"fp1.{handle}.{encode(sign(seed_of(challenge), text.encode()))}"


def shifted(signature):
    """The same signature with its scalar increased by the group order, which RFC 8032 forbids."""
    data = base64.urlsafe_b64decode(signature + "==")
    scalar = verify.num(data[32:]) + verify.L
    return encode(data[:32] + scalar.to_bytes(32, "little"))


def challenge(name):
    secret = mac(SECRET, "flags of a service", name)
    teams = []
    for team in (1, 2, 77, 2**62):
        code = hmac.new(secret, handle_of(team).encode(), hashlib.sha256).hexdigest()[:32]
        teams.append({"team": team, "handle": handle_of(team), "pass": pass_of(name, team),
                      "code": code})
    public = encode(key_pair(seed_of(name))[2])
    good = teams[0]["pass"]
    version, handle, signature = good.split(".")
    other = "A" if signature[10] != "A" else "B"
    # The last digit has unused bits.
    last = chr(ord(signature[-1]) + 1)
    invalid = {
        "of another challenge": pass_of(name + "x", 1),
        "of another event": pass_of(name, 1, event="0" * 16),
        "with another handle": f"{version}.{teams[1]['handle']}.{signature}",
        "with another signature": f"{version}.{handle}.{signature[:10]}{other}{signature[11:]}",
        "of another version": good.replace("fp1.", "fp2."),
        "without a signature": f"{version}.{handle}",
        "with a short signature": good[:-2],
        "with more at the end": good + "A",
        "with another part": good + ".A",
        "with an uneven last digit": good[:-1] + last,
        "with another form of its signature": f"{version}.{handle}.{shifted(signature)}",
        "with a line break at the end": good + "\n",
        "with a line break in the handle": f"{version}.{handle}\n.{signature}",
        "in upper case": good.upper(),
        "empty": "",
        "without a handle": f"{version}..{signature}",
    }
    return {"id": name, "secret": secret.hex(), "publicKey": public, "teams": teams,
            "invalid": [{"case": case, "pass": text} for case, text in invalid.items()]}


def main():
    data = {"secret": SECRET.decode(), "eventId": EVENT,
            "challenges": [challenge(name) for name in ("pier", "A.b_c-9")]}
    (HERE / "passes.json").write_text(json.dumps(data, indent=2) + "\n")


if __name__ == "__main__":
    main()
