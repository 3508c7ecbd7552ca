"""Decodes the middle part of the token that the server sets as a cookie."""

import base64
import json
import sys
from pathlib import Path

log = json.loads((Path(sys.argv[1]) / "ferry.har").read_text(encoding="utf-8"))["log"]
cookies = [header["value"].split(";")[0].partition("=")[2]
           for entry in log["entries"] for header in entry["response"]["headers"]
           if header["name"] == "Set-Cookie"]
middle = next(cookie for cookie in cookies if cookie.count(".") == 2).split(".")[1]
claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
print(claims["note"])
