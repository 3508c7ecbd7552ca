/** Tracing of an area of pixels: its outlines as one short SVG path. */

/** Closed outlines of an area along the edges of its pixels, with the area on the right. */
function outlinesOf(inside, { width, height }) {
  const isIn = (x, y) => x >= 0 && y >= 0 && x < width && y < height && inside(y * width + x);
  /** Edges by their start point; a point where two areas touch has two. */
  const edges = new Map();
  const add = (x1, y1, x2, y2) => {
    const key = y1 * (width + 1) + x1;
    edges.set(key, [...(edges.get(key) ?? []), [x1, y1, x2, y2]]);
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isIn(x, y)) continue;
      if (!isIn(x, y - 1)) add(x, y, x + 1, y);
      if (!isIn(x + 1, y)) add(x + 1, y, x + 1, y + 1);
      if (!isIn(x, y + 1)) add(x + 1, y + 1, x, y + 1);
      if (!isIn(x - 1, y)) add(x, y + 1, x, y);
    }
  }
  const outlines = [];
  for (const [key, list] of edges) {
    while (list.length > 0) {
      const outline = [];
      let at = key;
      for (;;) {
        const edge = edges.get(at)?.pop();
        if (!edge) break;
        outline.push([edge[0], edge[1]]);
        at = edge[3] * (width + 1) + edge[2];
      }
      outlines.push(outline);
    }
  }
  return outlines;
}

/** Distance of a point from the line through two others. */
function distance([x, y], [x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return Math.hypot(x - x1, y - y1);
  return Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
}

/** The points of a line that are needed for a tolerance (Ramer, Douglas and Peucker). */
function simplified(points, tolerance) {
  const keep = new Set([0, points.length - 1]);
  const parts = [[0, points.length - 1]];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [first, last] = part;
    let farthest = -1;
    let most = tolerance;
    for (let at = first + 1; at < last; at += 1) {
      const away = distance(points[at], points[first], points[last]);
      if (away > most) {
        most = away;
        farthest = at;
      }
    }
    if (farthest < 0) continue;
    keep.add(farthest);
    parts.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, at) => keep.has(at));
}

/** A closed outline, simplified from its two points that are farthest apart. */
function simplifiedLoop(points, tolerance) {
  const farFrom = (origin) => {
    const away = points.map(([x, y]) => Math.hypot(x - origin[0], y - origin[1]));
    return away.indexOf(Math.max(...away));
  };
  const start = farFrom(points[farFrom(points[0])]);
  const turned = [...points.slice(start), ...points.slice(0, start)];
  const away = turned.map(([x, y]) => Math.hypot(x - turned[0][0], y - turned[0][1]));
  const middle = away.indexOf(Math.max(...away));
  const there = simplified(turned.slice(0, middle + 1), tolerance);
  const back = simplified([...turned.slice(middle), turned[0]], tolerance);
  return [...there.slice(0, -1), ...back.slice(0, -1)];
}

/** Center and radius if the outline is a circle. */
function circleOf(points, slack) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const x = (Math.min(...xs) + Math.max(...xs)) / 2;
  const y = (Math.min(...ys) + Math.max(...ys)) / 2;
  const radii = points.map((point) => Math.hypot(point[0] - x, point[1] - y));
  const low = Math.min(...radii);
  const high = Math.max(...radii);
  return high - low <= slack && low > slack * 2 ? { x, y, r: (low + high) / 2 } : null;
}

const tenth = (number) => String(Math.round(number * 10) / 10).replace(/^(-?)0\./, "$1.");

function joined(numbers) {
  return numbers
    .map(tenth)
    .reduce((text, one) => (one.startsWith("-") ? text + one : `${text} ${one}`));
}

/** Relative commands from point to point on a grid of half units. */
function polygonPath(points, scale) {
  const grid = points.map((point) => point.map((part) => Math.round((part * 2) / scale) / 2));
  const corners = grid.filter(([x, y], at) => {
    const [px, py] = grid.at(at - 1);
    return x !== px || y !== py;
  });
  if (corners.length < 3) return "";
  const steps = corners.slice(1).map(([x, y], at) => [x - corners[at][0], y - corners[at][1]]);
  let command = "";
  let path = `M${joined(corners[0])}`;
  for (const [dx, dy] of steps) {
    const [name, numbers] = dy === 0 ? ["h", [dx]] : dx === 0 ? ["v", [dy]] : ["l", [dx, dy]];
    const text = joined(numbers);
    const isSame = name === command;
    path += isSame ? (text.startsWith("-") ? text : ` ${text}`) : `${name}${text}`;
    command = name;
  }
  return `${path}z`;
}

function circlePath({ x, y, r }, scale) {
  const radius = tenth(r / scale);
  const wide = tenth((2 * r) / scale);
  const arc = `a${radius} ${radius} 0 1 0 `;
  return `M${joined([(x - r) / scale, y / scale])}${arc}${wide} 0${arc}-${wide} 0z`;
}

/** The path of an area; `scale` is the number of pixels per unit, `tolerance` is in units. */
export function pathOf(inside, size, scale, tolerance) {
  return outlinesOf(inside, size)
    .map((outline) => {
      const circle = circleOf(outline, scale * 0.35);
      if (circle) return circlePath(circle, scale);
      return polygonPath(simplifiedLoop(outline, tolerance * scale), scale);
    })
    .join("");
}
