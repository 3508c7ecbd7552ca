#!/usr/bin/env python3
"""Computes the expected values of points.json, live.json and freeze.json.

A third implementation of the rules, as short and slow as possible, based on the contract and not
on the program: powers have 60 decimal digits, and every scoreboard is folded from the beginning. It
reads the inputs in live.json and freeze.json, replaces their expected values, and writes all of
points.json. Run it after adding a case, then review the diff: `python3 vectors/make.py`.
"""

import json
import pathlib
from decimal import ROUND_FLOOR, Decimal, getcontext

HERE = pathlib.Path(__file__).parent
getcontext().prec = 60


# ---- points --------------------------------------------------------------------------------

def points(scoring, nsolves, position):
    kind = scoring["challengeType"]
    if kind == "static":
        return scoring["maxValue"]
    if kind == "speedrun":
        index = max((nsolves if position is None else position) - 1, 0)
        values = scoring["speedrunValues"]
        return values[index] if index < len(values) else 0
    assert kind == "dynamic"
    decay = Decimal(scoring.get("decay", 15))
    below = decay - 1 + nsolves
    share = Decimal(1) if below < decay else decay / below
    value = Decimal(scoring["maxValue"]) * (Decimal(1) if share == 1 else share ** Decimal("1.3"))
    return max(scoring["minValue"], int(value.to_integral_value(ROUND_FLOOR)))


def wire_scoring(kind, top=0, bottom=0, values=(), decay=15):
    scoring = {"challengeType": kind, "maxValue": top, "minValue": bottom,
               "speedrunValues": list(values)}
    return scoring | ({"decay": decay} if decay != 15 else {})


def points_cases():
    few = [*range(0, 31), 40, 50, 73, 74, 75, 99, 100, 150, 199, 200, 1000, 65535, 4294967295]
    runs = [(wire_scoring("dynamic", 500, 50), [*range(0, 201), *few[-3:]])]
    for top, bottom, decay in [
        (500, 50, 1), (500, 50, 2), (500, 50, 10), (500, 0, 30), (1000, 100, 15),
        (1000, 100, 50), (100, 100, 15), (50, 500, 15), (1, 0, 15), (0, 0, 15),
        (999983, 7, 12), (1000000000, 1, 15), (1000000000, 0, 7), (987654321, 12345, 40),
        (500, 50, 1000000000),
    ]:
        runs.append((wire_scoring("dynamic", top, bottom, decay=decay), few))
    for scoring, solves in runs:
        yield from (scoring | {"nsolves": n, "position": None} for n in solves)
    dynamic = runs[0][0]
    yield from (dynamic | {"nsolves": 20, "position": p} for p in (1, 2, 20))
    static = wire_scoring("static", 100)
    yield from (static | {"nsolves": n, "position": p} for n, p in [(0, None), (1, 1), (90, 90)])
    for values in ([100, 80, 60, 40, 20], [7], [5, 0, 5], []):
        speedrun = wire_scoring("speedrun", values=values)
        yield from (speedrun | {"nsolves": n, "position": None} for n in range(0, 8))
        yield from (speedrun | {"nsolves": 7, "position": p} for p in range(1, 8))


# ---- scoreboards ---------------------------------------------------------------------------

def milliseconds(seconds):
    return round(seconds * 1000)


def seconds(at_ms):
    return at_ms // 1000 if at_ms % 1000 == 0 else at_ms / 1000


def row_points(challenges, row):
    award = row[4] if len(row) > 4 else 0
    solved = [(challenges[int(i)], position) for i, (position, _) in row[2].items()]
    return award + sum(points(c, c["nsolves"], position) for c, position in solved)


def ranked(challenges, rows):
    def key(row):
        return (-row_points(challenges, row), milliseconds(row[3]), [ord(c) for c in row[0]])
    return sorted(rows, key=key)


def ranks(challenges, rows):
    return [{"teamName": row[0], "points": row_points(challenges, row), "rank": i + 1}
            for i, row in enumerate(ranked(challenges, rows))]


# ---- a client: the snapshot, then the live messages ----------------------------------------

def replay(snapshot, messages):
    state = json.loads(json.dumps(snapshot))
    for message in messages:
        event = message.get("event")
        if event == "scoreboard":
            state = json.loads(json.dumps(message))
        elif event == "newteam":
            if all(row[0] != message["teamName"] for row in state["scoreboard"]):
                divisions = [0, message["divisions"]] if message.get("divisions") else []
                row = [message["teamName"], message["country"], {}, 0] + divisions
                state["scoreboard"].append(row)
        elif event == "award":
            for row in state["scoreboard"]:
                if row[0] == message["teamName"]:
                    divisions = row[5:]
                    has_award = message["award"] or divisions
                    row[4:] = ([message["award"]] if has_award else []) + divisions
        elif event == "solve":
            columns = [c["id"] for c in state["challenges"]]
            rows = [r for r in state["scoreboard"] if r[0] == message["teamName"]]
            if message["challengeId"] not in columns or not rows:
                continue
            index, row = columns.index(message["challengeId"]), rows[0]
            if str(index) in row[2]:
                continue
            challenge = state["challenges"][index]
            challenge["nsolves"] += 1
            if challenge["nsolves"] == 1:
                challenge["fbTs"] = message["ts"]
            row[2][str(index)] = [challenge["nsolves"], message["ts"]]
            row[3] = message["ts"]
    challenges = state["challenges"]
    return {"challenges": challenges, "scoreboard": ranked(challenges, state["scoreboard"])}


# ---- the server: the journal, as seen by a viewer ------------------------------------------

class World:
    """The state after a journal, with the view of each viewer."""

    def __init__(self, journal):
        self.event, self.phases, self.seq = None, set(), 0
        self.teams, self.challenges, self.withdrawn, self.solves = {}, {}, set(), []
        self.hints = []
        for number, entry in enumerate(journal, 1):
            self.seq += self.apply(number, entry["at_ms"], entry["fact"])

    def apply(self, number, at_ms, fact):
        """Applies a fact; returns True if the public view changed."""
        kind = fact["type"]
        if kind == "format":
            return False
        team = self.teams.get(fact.get("team"))
        if kind == "event":
            self.event = fact["event"]
            if (fact["event"]["end_ms"] or float("inf")) > at_ms:
                # The event resumes, so teams that joined after the end take part.
                self.phases.discard("end")
                for one in self.teams.values():
                    one["late"] = False
        elif kind == "phase":
            self.phases.add(fact["phase"])
        elif kind == "team":
            late = "end" in self.phases
            self.teams[fact["team"]] = fact | {"banned": False, "hidden": False, "award": 0,
                                               "late": late}
            return not late
        elif kind == "team_divisions":
            team["divisions"] = fact["divisions"]
            return self.counts(team)
        elif kind == "team_named":
            if team is None:
                return self.apply(number, at_ms, fact | {"type": "team"})
            team |= {"name": fact["name"], "country": fact["country"]}
            return self.counts(team)
        elif kind in ("notice", "notice_withdrawn", "paused"):
            pass
        elif kind == "status":
            return fact["challenge"] in self.shown()
        elif kind == "team_state":
            before = self.counts(team)
            team |= {"banned": fact["banned"], "hidden": fact["hidden"]}
            return before or self.counts(team)
        elif kind == "award":
            team["award"] += fact["points"]
            return self.counts(team)
        elif kind == "hint_taken":
            taken = (fact["team"], fact["challenge"], fact["hint"], fact["cost"], at_ms)
            self.hints.append(taken)
            return self.counts(team) and self.charges("public", taken)
        elif kind == "challenge":
            before, name = self.shown(), fact["challenge"]["id"]
            self.challenges[name] = fact["challenge"]
            self.withdrawn.discard(name)
            return name in before or name in self.shown()
        elif kind == "withdrawn":
            before = self.shown()
            self.withdrawn.add(fact["challenge"])
            return fact["challenge"] in before
        elif kind == "solve":
            solve = (fact["team"], fact["challenge"], at_ms, (number, at_ms, number))
            self.solves.append(solve)
            return self.sees("public", solve)
        elif kind == "solve_counted":
            # Behind the entry that it names; several behind the same entry are ordered by time.
            place = (fact["after"], fact["at_ms"], number)
            solve = (fact["team"], fact["challenge"], fact["at_ms"], place)
            self.solves.append(solve)
            self.solves.sort(key=lambda s: s[3])
            return self.sees("public", solve)
        elif kind == "solve_withdrawn":
            solve = next(s for s in self.solves if s[:2] == (fact["team"], fact["challenge"]))
            was_seen = self.sees("public", solve)
            self.solves.remove(solve)
            return was_seen
        else:
            raise ValueError(kind)
        return True

    @staticmethod
    def counts(team):
        return not team["banned"] and not team["hidden"] and not team["late"]

    def shown(self):
        known = set()
        while True:
            more = {i for i, c in self.challenges.items()
                    if i not in self.withdrawn and set(c["requirements"]) <= known}
            if more == known:
                return known if "start" in self.phases else set()
            known = more

    def has_row(self, viewer, team_id):
        team = self.teams[team_id]
        plays = not team["banned"] and (team["hidden"] or not team["late"])
        return self.counts(team) or (viewer == team_id and plays)

    def sees(self, viewer, solve):
        team_id, challenge, _, _ = solve
        mine = viewer in ("organizer", team_id)
        return (self.has_row(viewer, team_id) and challenge in self.shown()
                and (mine or not self.hides(solve)))

    def hides(self, solve):
        return self.hides_at(solve[2])

    def hides_at(self, at_ms):
        freeze = self.event["freeze_ms"]
        return freeze is not None and at_ms >= freeze and "reveal" not in self.phases

    def charges(self, viewer, taken):
        """True if the viewer sees that a taken hint costs its team points."""
        team_id, challenge, hint, cost, at_ms = taken
        current = self.challenges[challenge].get("hints", [])
        has_cost = any(h["id"] == hint and h.get("cost", 0) > 0 and h["html"] is not None
                       for h in current)
        solved_before = any((t, c) == (team_id, challenge) and solved_at_ms < at_ms
                            for t, c, solved_at_ms, _ in self.solves)
        mine = viewer in ("organizer", team_id)
        return (cost > 0 and has_cost and not solved_before and challenge in self.shown()
                and (mine or not self.hides_at(at_ms)))

    def award(self, viewer, team_id):
        paid = sum(t[3] for t in self.hints if t[0] == team_id and self.charges(viewer, t))
        return self.teams[team_id]["award"] - paid

    def columns(self):
        def scoring(challenge):
            s = challenge["scoring"]
            return wire_scoring(s["type"], s.get("max", 0), s.get("min", 0), s.get("values", ()),
                                s.get("decay", 15))
        shown = [self.challenges[i] for i in self.shown()]
        far = float("inf")
        shown.sort(key=lambda c: (far if c["position"] is None else c["position"],
                                  (c["categories"] or [""])[0], points(scoring(c), 0, None),
                                  c["name"], c["id"]))
        return [{"id": c["id"], "challengeName": c["name"]} | scoring(c)
                | {"categories": c["categories"], "nsolves": 0, "fbTs": 0} for c in shown]

    def divisions_of(self, team):
        """The defined divisions of a team, the first one of each group."""
        joined, groups = [], set()
        for division in self.event.get("divisions", []):
            if division["id"] in team.get("divisions", []) and division["group"] not in groups:
                groups.add(division["group"])
                joined.append(division["id"])
        return joined

    def last_members(self, award, team):
        divisions = self.divisions_of(team)
        return [award, divisions] if divisions else [award] if award else []

    def divisions(self, snapshot):
        """Ranks within each division, and its first solver of each challenge."""
        columns, result = snapshot["challenges"], {}
        for division in self.event.get("divisions", []):
            rows = [row for row in snapshot["scoreboard"] if division["id"] in (row[5:] or [[]])[0]]
            firsts = {}
            for index, column in enumerate(columns):
                solvers = [(row[2][str(index)][0], row[0]) for row in rows if str(index) in row[2]]
                if solvers:
                    firsts[column["id"]] = min(solvers)[1]
            result[division["id"]] = {"ranks": ranks(columns, rows), "firsts": firsts}
        return result

    def snapshot(self, viewer):
        columns = self.columns()
        index = {c["id"]: i for i, c in enumerate(columns)}
        awards = {i: self.award(viewer, i) for i in self.teams}
        rows = {i: [t["name"], t["country"], {}, 0] + self.last_members(awards[i], t)
                for i, t in self.teams.items() if self.has_row(viewer, i)}
        # A team's own later solves come after the frozen scoreboard, whatever their position.
        solves = [solve for solve in self.solves if self.sees(viewer, solve)]
        if viewer != "organizer":
            solves.sort(key=self.hides)
        for team_id, challenge, at_ms, _ in solves:
            column, row = columns[index[challenge]], rows[team_id]
            column["nsolves"] += 1
            column["fbTs"] = column["fbTs"] or seconds(at_ms)
            row[2][str(index[challenge])] = [column["nsolves"], seconds(at_ms)]
            row[3] = max(row[3], seconds(at_ms))
        for row in rows.values():
            row[2] = dict(sorted(row[2].items(), key=lambda item: int(item[0])))
        return {"event": "scoreboard", "seq": self.seq, "generation": "vectors",
                "challenges": columns, "scoreboard": ranked(columns, list(rows.values()))}

    def cards(self, viewer):
        mine = {c for t, c, _, _ in self.solves if t == viewer}
        return [{"id": c["id"], "locked": not set(self.challenges[c["id"]]["requirements"]) <= mine,
                 "nsolves": c["nsolves"], "fbTs": c["fbTs"]}
                for c in self.snapshot(viewer)["challenges"]]


# ---- files ---------------------------------------------------------------------------------

def text(value, indent=""):
    """JSON with each challenge, message or entry on one line."""
    flat = "".join(c if c.isprintable() else json.dumps(c)[1:-1]
                   for c in json.dumps(value, ensure_ascii=False))
    if len(flat) <= 230 or not isinstance(value, (dict, list)):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}: {text(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    parts = [text(part, inner) for part in value]
    return "[\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}]"


def read(name):
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def write(name, cases):
    (HERE / name).write_text(text(cases) + "\n", encoding="utf-8")


def main():
    rows = [case | {"points": points(case, case["nsolves"], case["position"])}
            for case in points_cases()]
    lines = ",\n".join("  " + json.dumps(row) for row in rows)
    (HERE / "points.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    live = read("live.json")
    for case in live:
        case["expected"] = replay(case["snapshot"], case["messages"])
        case["ranks"] = ranks(*case["expected"].values())
    write("live.json", live)
    freeze = read("freeze.json")
    for case in freeze:
        world = World(case["journal"])
        for view in case["views"]:
            viewer = view.get("team", view["viewer"])
            view["snapshot"] = world.snapshot(viewer)
            view["ranks"] = ranks(view["snapshot"]["challenges"], view["snapshot"]["scoreboard"])
            if "divisions" in world.event:
                view["divisions"] = world.divisions(view["snapshot"])
            if view["viewer"] == "team":
                view["cards"] = world.cards(viewer)
    write("freeze.json", freeze)


if __name__ == "__main__":
    main()
