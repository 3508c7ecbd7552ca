"""Shows that solve_all.py can fail: each test breaks a copy of the example in one way.

    python3 examples/solve_all_test.py
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
BOATS = "challenges/crypto/two-boats"


class SolveAll(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.event = Path(room.name) / "event"
        kept = ("come-aboard", "two-boats", "spare-key", "guest-book")
        shutil.copytree(EXAMPLES / "beginner", self.event, ignore=lambda folder, names: [
            name for name in names
            if Path(folder).parent.name == "challenges" and name not in kept])

    def change(self, path, old, new):
        path = self.event / path
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new), encoding="utf-8")

    def check(self, code, said):
        done = subprocess.run([sys.executable, "-B", EXAMPLES / "solve_all.py", self.event],
                              capture_output=True, text=True, encoding="utf-8", check=False)
        self.assertIn(said, done.stdout, done.stderr)
        self.assertEqual(done.returncode, code)

    def test_the_unbroken_copy_passes(self):
        self.check(0, "4 passed, 0 failed")

    def test_a_changed_flag_is_noticed(self):
        self.change(f"{BOATS}/challenge.yml", "pier{0nc3", "pier{7w1c3")
        self.check(1, "the last line of solve.py is no accepted flag")

    def test_a_second_flag_that_nobody_can_find_is_noticed(self):
        self.change(f"{BOATS}/challenge.yml", "files:", "  - pier{n0b0dy}\nfiles:")
        self.check(1, "flag 2 was not found")

    def test_a_changed_attachment_is_noticed(self):
        self.change(f"{BOATS}/dist/weather.txt", "wetter.\n", "wetter!\n")
        self.check(1, "make.py writes something else than dist/ holds: ['weather.txt']")

    def test_a_missing_attachment_is_noticed(self):
        (self.event / BOATS / "dist/weather.txt").unlink()
        self.check(1, "files and dist/ differ")

    def test_a_flag_in_an_attachment_is_noticed(self):
        self.change(f"{BOATS}/dist/weather.txt", "PIER ZERO", "0NC3_M34N5_0nc3_c4p741n")
        self.check(1, "a flag stands in the clear in weather.txt")

    def test_a_flag_in_a_solver_is_noticed(self):
        path = "challenges/reversing/spare-key/solution/solve.py"
        self.change(path, "import re\n", "import re  # 7h3_n3ph3w_w45_h3r3\n")
        self.check(1, "a flag stands in the clear in solution/solve.py")

    def test_a_flag_beside_the_challenges_is_noticed(self):
        self.change("rules.md", "Playing fair", "0nc3_m34n5_0nc3_c4p741n")
        self.check(1, "a flag stands in rules.md")

    def test_a_solver_that_looks_the_flag_up_is_noticed(self):
        solver = self.event / BOATS / "solution/solve.py"
        solver.write_text(
            "from pathlib import Path\n"
            "print(Path(__file__).parents[1].joinpath('challenge.yml').read_text())\n",
            encoding="utf-8")
        self.check(1, "FileNotFoundError")

    def test_an_attachment_without_the_teams_flag_is_noticed(self):
        book = "challenges/forensics/guest-book"
        self.change(f"{book}/challenge.yml", ", per_team: true", "")
        self.check(1, "solve.py failed")
        self.change(f"{book}/challenge.yml", "guests.zip}", "guests.zip, per_team: true}")
        self.change(f"{book}/solution/make.py", "{{team_flag}}", "gone")
        make = self.event / book / "solution/make.py"
        subprocess.run([sys.executable, "-B", make, self.event / book / "dist"], check=True)
        self.check(1, "guests.zip has no {{team_flag}}")

    def test_a_requirement_that_is_not_there_is_noticed(self):
        self.change(f"{BOATS}/challenge.yml", "tags:", "requirements: [three-boats]\ntags:")
        self.check(1, "two-boats requires three-boats, which there is not")

    def test_a_circle_of_requirements_is_noticed(self):
        self.change(f"{BOATS}/challenge.yml", "tags:", "requirements: [two-boats]\ntags:")
        self.check(1, "nobody can ever open ['two-boats']")

    def test_an_unknown_key_is_noticed(self):
        self.change(f"{BOATS}/challenge.yml", "position:", "postion:")
        self.check(1, "unknown keys ['postion']")

    def test_an_empty_event_is_noticed(self):
        shutil.rmtree(self.event / "challenges")
        self.check(1, "0 passed, 1 failed")


if __name__ == "__main__":
    unittest.main()
