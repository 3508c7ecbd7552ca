"""Writes ledger.db. SQLite notes its own version in the file; that is set to a fixed one."""

import random
import sqlite3
import string
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file  # noqa: E402

SHIPS = ["Bora", "Grecale", "Libeccio", "Maestrale", "Ponente", "Scirocchetto", "Sirocco",
         "Tramontana"]
CRATES = 900
SEALS = ["intact", "broken"]

flag = challenge_file.flag(HERE)
chance = random.Random("ledger")
weights = chance.sample(range(50, 5000), CRATES)
smuggler = SHIPS.index("Sirocco") + 1
crates = [(smuggler, weight, "broken", letter)
          for weight, letter in zip(sorted(weights[:len(flag)]), flag)]
for weight in weights[len(flag):]:
    ship, seal = chance.randint(1, len(SHIPS)), chance.choice(SEALS)
    if ship == smuggler:
        seal = "intact"
    crates.append((ship, weight, seal, chance.choice(string.ascii_lowercase + string.digits)))
chance.shuffle(crates)

path = Path(sys.argv[1]) / "ledger.db"
path.unlink(missing_ok=True)
ledger = sqlite3.connect(path)
ledger.execute("PRAGMA page_size = 4096")
ledger.execute("BEGIN")
ledger.execute("CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
ledger.execute("CREATE TABLE crates (id INTEGER PRIMARY KEY, ship_id INTEGER NOT NULL, "
               "weight_kg INTEGER NOT NULL, seal TEXT NOT NULL, letter TEXT NOT NULL)")
ledger.executemany("INSERT INTO ships (name) VALUES (?)", [(name,) for name in SHIPS])
ledger.executemany(
    "INSERT INTO crates (ship_id, weight_kg, seal, letter) VALUES (?, ?, ?, ?)", crates)
ledger.commit()
ledger.close()
data = bytearray(path.read_bytes())
data[96:100] = (3_040_000).to_bytes(4, "big")
path.write_bytes(data)
