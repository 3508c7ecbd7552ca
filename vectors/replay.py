#!/usr/bin/env python3
"""Ranks a past event in which teams also took hints for points and were in divisions.

An independent implementation: from the contract and make.py, not from the program. Prints
`{"frozen": [[team, points]], "revealed": [[team, points]]}`, by rank, as everyone sees the scoreboard
in the freeze and after the reveal, and the same within each division as `divisions`: `{"low": {...},
"high": {...}}`. `python3 vectors/replay.py EVENT.json`, with a file of
`scoreboards` in the test data.

Every challenge has one hint. A team takes it one second before its solve if the sum of the bytes
of the team's and the challenge's name is divisible by 4, for 5 points plus that sum modulo 50.

The sum of the bytes of a team's name, modulo 3, gives its division: 0 `low`, 1 `high`, 2 none.
"""

import json
import sys

from make import points, wire_scoring

SCORING = wire_scoring("dynamic", 500, 50)


def purchases(past):
    for at_ms, team, challenge, _ in past["events"]:
        total = sum((team + challenge).encode())
        if total % 4 == 0:
            yield max(at_ms - 1000, past["start_ms"]), team, 5 + total % 50


def division_of(team):
    return ["low", "high", None][sum(team.encode()) % 3]


def ranking(past, until_ms):
    """The ranking by the solves and purchases before `until_ms`."""
    solves = [event for event in past["events"] if event[0] < until_ms]
    counts = {}
    for _, _, challenge, _ in solves:
        counts[challenge] = counts.get(challenge, 0) + 1
    rows = {team["name"]: [0, 0] for team in past["teams"]}
    for at_ms, team, challenge, _ in solves:
        rows[team][0] += points(SCORING, counts[challenge], None)
        rows[team][1] = max(rows[team][1], at_ms)
    for at_ms, team, cost in purchases(past):
        if at_ms < until_ms:
            rows[team][0] -= cost
    key = lambda row: (-row[1][0], row[1][1], [ord(c) for c in row[0]])
    return [[team, total] for team, (total, _) in sorted(rows.items(), key=key)]


def main(path):
    with open(path, encoding="utf-8") as file:
        past = json.load(file)
    rankings = {"frozen": ranking(past, past["replay_freeze_ms"]),
                "revealed": ranking(past, past["end_ms"])}
    of = lambda name: {when: [row for row in rows if division_of(row[0]) == name]
                       for when, rows in rankings.items()}
    divisions = {name: of(name) for name in ("low", "high")}
    rankings["divisions"] = divisions
    json.dump(rankings, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
