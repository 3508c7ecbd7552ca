"""Writes ferry.har: a visit of some requests, one answer of which sets a token as a cookie."""

import base64
import hashlib
import hmac
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

HOST = "http://ferry.example"


def part(value):
    text = json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def token(note):
    body = part({"alg": "HS256", "typ": "JWT"}) + "." + part(
        {"sub": "ines", "seat": "12A", "lifejacket": "M", "note": note, "exp": 1700935200})
    sign = hmac.new(b"the tide waits for no one", body.encode(), hashlib.sha256).digest()
    return body + "." + base64.urlsafe_b64encode(sign).rstrip(b"=").decode()


def headers(pairs):
    return [{"name": name, "value": value} for name, value in pairs]


def entry(second, method, path, status, kind, text, sent=(), received=(), posted=None):
    request = {"method": method, "url": HOST + path, "httpVersion": "HTTP/1.1", "cookies": [],
               "headers": headers([("Host", "ferry.example"), *sent]), "queryString": [],
               "headersSize": -1, "bodySize": len(posted or "")}
    if posted:
        form = "application/x-www-form-urlencoded"
        request["postData"] = {"mimeType": form, "text": posted}
    response = {"status": status, "statusText": {200: "OK", 303: "See Other"}[status],
                "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": headers([("Content-Type", kind), *received]),
                "content": {"size": len(text), "mimeType": kind, "text": text},
                "redirectURL": dict(received).get("Location", ""), "headersSize": -1,
                "bodySize": len(text)}
    return {"startedDateTime": f"2023-11-25T09:14:{second:02}.000Z", "time": 21,
            "request": request, "response": response, "cache": {},
            "timings": {"send": 1, "wait": 19, "receive": 1}}


crumb = "berth=" + token(challenge_file.flag(HERE))
page = "text/html; charset=utf-8"
entries = [
    entry(2, "GET", "/", 200, page, "<h1>Pier Zero Ferries</h1><a href=/login>Log in</a>"),
    entry(2, "GET", "/boat.css", 200, "text/css", "h1 { color: teal; }"),
    entry(5, "GET", "/login", 200, page, "<form method=post><input name=user></form>",
          received=[("Set-Cookie", "language=en; Path=/")]),
    entry(19, "POST", "/login", 303, page, "", [("Cookie", "language=en")],
          [("Location", "/seats"), ("Set-Cookie", crumb + "; Path=/; HttpOnly; SameSite=Strict")],
          "user=ines&password=%28not+in+this+file%29"),
    entry(20, "GET", "/seats", 200, page, "<p>Your seat: 12A, by the window.</p>",
          [("Cookie", "language=en; " + crumb)]),
    entry(31, "GET", "/timetable?day=saturday", 200, "application/json",
          '{"out":["09:30","14:00"],"back":["19:00"]}', [("Cookie", "language=en; " + crumb)]),
]
har = {"log": {"version": "1.2", "creator": {"name": "a lighthouse keeper", "version": "1"},
               "pages": [], "entries": entries}}
(Path(sys.argv[1]) / "ferry.har").write_text(json.dumps(har, indent=1) + "\n", encoding="utf-8")
