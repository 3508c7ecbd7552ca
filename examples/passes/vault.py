"""A service that all teams share, and that gives each team its own flag.

    FLAGSHIP_PASS_KEY=$(flagship pass secret vault) python3 vault.py PUBLIC_KEY EVENT_ID [PORT]

The link in challenge.yml is `http://HOST:PORT/?pass={{team_pass}}`. The pass only names the team and
opens nothing, so replace `is_open` with your challenge.
"""

import hashlib
import hmac
import http.server
import os
import sys
import urllib.parse

from verify import handle_of

CHALLENGE = "vault"
FLAG = "flag{vault_[TEAM]}"


def flag_of(handle, key):
    """The team's flag, from the challenge's key in hex."""
    code = hmac.new(bytes.fromhex(key), handle.encode(), hashlib.sha256).hexdigest()[:32]
    return FLAG.replace("[TEAM]", code)


def is_open(query):
    return query.get("word") == ["sesame"]


class Vault(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        try:
            handle = handle_of(*sys.argv[1:3], CHALLENGE, query.get("pass", [""])[0])
        except Exception:
            handle = None
        if handle is None:
            return self.answer(403, "Open the vault with the link of the challenge.")
        if not is_open(query):
            return self.answer(200, "The vault is closed.")
        self.answer(200, flag_of(handle, os.environ["FLAGSHIP_PASS_KEY"]))

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    port = int(sys.argv[3]) if len(sys.argv) > 3 else 8000
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Vault).serve_forever()
