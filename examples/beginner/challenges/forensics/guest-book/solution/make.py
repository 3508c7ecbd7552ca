"""Writes guests.zip: pages of greetings, one of which has the placeholder of the team's flag."""

import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import deflate  # noqa: E402

PAGES, LINES, OURS = 100, 12, 73
SHIPS = ["Bora", "Grecale", "Libeccio", "Maestrale", "Ponente", "Sirocco", "Tramontana"]
GREETINGS = [
    "The soup was better than the weather.", "We will be back before the herring.",
    "Please fix the third bollard.", "The cat stole our bosun's hat.",
    "A quiet night, apart from the gulls.", "The coffee here could float an anchor.",
    "Whoever won at cards: we want another game.", "Fair winds to the next crew.",
]

chance = random.Random("guests")
files = {}
for page in range(1, PAGES + 1):
    lines = [f"Page {page}", ""]
    lines += [f"{chance.choice(SHIPS)}: {chance.choice(GREETINGS)}" for _ in range(LINES)]
    if page == OURS:
        lines.insert(chance.randrange(3, LINES), "Harbour master: your word is {{team_flag}}.")
    files[f"guests/page-{page:03}.txt"] = "\n".join([*lines, ""]).encode()
(Path(sys.argv[1]) / "guests.zip").write_bytes(deflate.zip_file(files))
