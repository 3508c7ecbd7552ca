"""Verifies a team pass: verify.py PUBLIC_KEY EVENT_ID CHALLENGE_ID PASS prints the team's handle."""
import base64, hashlib, re, sys
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
inverse, D = lambda a: pow(a, -1, P), -121665 * pow(121666, -1, P) % P
decode = lambda text: base64.b64decode(text + "=" * (-len(text) % 4), "-_", validate=True)
num = lambda data: int.from_bytes(data, "little")
def add(a, b):
    t = D * a[0] * b[0] * a[1] * b[1]
    x = (a[0] * b[1] + b[0] * a[1]) * inverse(1 + t) % P
    return x, (a[1] * b[1] + a[0] * b[0]) * inverse(1 - t) % P
def times(n, a):
    return (0, 1) if n == 0 else add(times(n - 1, a), a) if n & 1 else times(n >> 1, add(a, a))
def point(data):
    y, sign = num(data) % 2**255, data[31] >> 7
    xx = (y * y - 1) * inverse(D * y * y + 1) % P
    roots = [x for r in (1, pow(2, (P - 1) // 4, P)) for x in [pow(xx, (P + 3) // 8, P) * r % P]]
    return next(((x if x & 1 == sign else P - x), y) for x in roots if x * x % P == xx)
def handle_of(public_key, event, challenge, text):
    handle, digits = re.fullmatch(r"fp1\.([\w-]+)\.([\w-]{85}[AQgw])", text, re.ASCII).groups()
    key, signature = decode(public_key), decode(digits)
    signed = f"flagship-pass:1\n{event}\n{challenge}\n{handle}".encode()
    hashed, s = num(hashlib.sha512(signature[:32] + key + signed).digest()), num(signature[32:])
    right = add(point(signature), times(hashed % L, point(key)))
    return handle if s < L and times(s, point(b"X" + b"f" * 31)) == right else None
if __name__ == "__main__": print(handle_of(*sys.argv[1:]) or sys.exit(1))
