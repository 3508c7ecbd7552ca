"""Asks the ledger for the letters of the smuggler's broken crates."""

import sqlite3
import sys
from pathlib import Path

QUESTION = """
    SELECT letter FROM crates JOIN ships ON ships.id = ship_id
    WHERE ships.name = 'Sirocco' AND seal = 'broken' ORDER BY weight_kg
"""
ledger = sqlite3.connect(Path(sys.argv[1]) / "ledger.db")
print("".join(letter for (letter,) in ledger.execute(QUESTION)))
