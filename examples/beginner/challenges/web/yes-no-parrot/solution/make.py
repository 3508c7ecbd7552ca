"""Writes access.log: a blind SQL injection among ordinary visitors."""

import random
import sys
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

ALPHABET = "etaoinshrdlucmfwypvbgkjqxz0123456789_{}"
YES, NO = 1874, 1312

chance = random.Random("parrot")
requests = []
for place, right in enumerate(challenge_file.flag(HERE), 1):
    for guess in chance.sample(ALPHABET, len(ALPHABET)):
        asked = f"polly' AND substr(secret,{place},1)=char({ord(guess)}) -- "
        size = YES if guess == right else NO
        requests.append(("198.51.100.23", "/parrots?name=" + quote(asked, safe="(),="), size))
        if guess == right:
            break
ordinary = [("/", 5210), ("/parrots?name=polly", YES), ("/parrots?name=rex", NO),
            ("/style.css", 940), ("/parrots?name=o%27hara", NO), ("/about", 2204)]
lines, second = [], 0.0
for request in requests:
    while chance.random() < 0.12:
        visitor = f"203.0.113.{chance.randrange(2, 60)}"
        lines.append((second, visitor, *chance.choice(ordinary)))
    lines.append((second, *request))
    second += chance.uniform(0.2, 0.6)
with open(Path(sys.argv[1]) / "access.log", "w", encoding="utf-8", newline="\n") as log:
    for second, who, path, size in lines:
        clock = f"03:{11 + int(second) // 60:02}:{int(second) % 60:02}"
        log.write(f'{who} - - [25/Nov/2023:{clock} +0100] "GET {path} HTTP/1.1" 200 {size}\n')
