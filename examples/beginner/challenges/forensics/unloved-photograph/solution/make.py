"""Writes photo.dat: a PNG with the cat, the flag and the wrong first eight bytes."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file, picture  # noqa: E402

CAT = """
....#.........#.............
...###.......###............
...####.....####............
...#############........##..
..###############......####.
..###..#####..###........##.
..###..#####..###........##.
..###############........##.
...######.######........###.
....###########........###..
.....#########........###...
....###########......###....
...##############...###.....
...###################......
..####################......
..###################.......
..###################.......
..####.####.####.####.......
..####.####.####.####.......
..#####.####.####.####......
""".split()

flag = challenge_file.flag(HERE)
photo = picture.blank(760, 400)
picture.write_text(photo, "this is segfault", 188, 24, 4)
for y, row in enumerate(CAT):
    for x, dot in enumerate(row):
        if dot == "#":
            for line in photo[80 + y * 10:90 + y * 10]:
                line[240 + x * 10:250 + x * 10] = [0] * 10
picture.write_text(photo, flag, 20, 330, 4)
told = f"A black cat with a raised tail, sitting. Above: this is segfault. Below: {flag}"
data = picture.png(photo, told)
(Path(sys.argv[1]) / "photo.dat").write_bytes(b"SEGFAULT" + data[8:])
