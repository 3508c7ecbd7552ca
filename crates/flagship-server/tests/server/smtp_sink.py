"""An SMTP server for the tests: writes accepted mails to files, refuses configured recipients.

Usage: smtp_sink.py PORT FOLDER [starttls|tls CERTIFICATE KEY]. Prints `ready` when it listens; ends
when its input does.
"""
import asyncio
import itertools
import os
import ssl
import sys

try:
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult
except ImportError:
    sys.exit("aiosmtpd is missing: apt-get install python3-aiosmtpd")

SLOW_S = 1.5

port, folder, mode = int(sys.argv[1]), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ""
context = None
if mode:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4], sys.argv[5])
numbers = itertools.count()


class Sink:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return f"550 5.1.1 <{address}> is not known here"
        if address.startswith("busy@"):
            return f"451 4.3.0 <{address}> is busy"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].startswith("slow@"):
            await asyncio.sleep(SLOW_S)
        name = os.path.join(folder, f"{next(numbers):06}")
        with open(name + ".tmp", "wb") as file:
            file.write(envelope.content)
        os.rename(name + ".tmp", name + ".eml")
        return "250 taken"


def authenticator(server, session, envelope, mechanism, auth_data):
    good = auth_data.login == b"flagship" and auth_data.password == b"smtp secret"
    return AuthResult(success=good, handled=False)


# A client that does not ask for STARTTLS, where it is offered, is refused.
protected = {"starttls": dict(tls_context=context, require_starttls=True)}
controller = Controller(
    Sink(), hostname="127.0.0.1", port=port, auth_require_tls=mode == "starttls",
    authenticator=authenticator, ssl_context=context if mode == "tls" else None,
    **protected.get(mode, {}),
)
controller.start()
print("ready", flush=True)
sys.stdin.read()
controller.stop()
