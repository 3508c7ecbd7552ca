/** Pictures as arrays of color indexes: their main colors, and the removal of small areas. */

/** Difference of two colors below which they count as one. */
const ALIKE = 48;

function difference(one, other) {
  const band = (color, shift) => (color >> shift) & 255;
  return Math.hypot(...[16, 8, 0].map((shift) => band(one, shift) - band(other, shift)));
}

function hex(color) {
  const long = color.toString(16).padStart(6, "0");
  // The three-digit form of a color that is close enough to it.
  const short = [0, 2, 4].map((at) => Math.round(Number.parseInt(long.slice(at, at + 2), 16) / 17));
  return `#${short.map((digit) => digit.toString(16)).join("")}`;
}

/** The colors with the largest areas, and the index of the nearest one for each pixel. */
export function mainColors(pixels, colorsMax) {
  const areas = new Map();
  for (let at = 0; at < pixels.length; at += 3) {
    const color = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    areas.set(color, (areas.get(color) ?? 0) + 1);
  }
  const kept = [];
  const ranked = [...areas].sort(([, one], [, other]) => other - one);
  for (const [color, area] of ranked) {
    if (kept.length === colorsMax || area < (pixels.length / 3) * 0.002) break;
    if (kept.every((other) => difference(color, other) > ALIKE)) kept.push(color);
  }
  const nearest = new Map();
  for (const color of areas.keys()) {
    const distances = kept.map((other) => difference(color, other));
    nearest.set(color, distances.indexOf(Math.min(...distances)));
  }
  const indexes = new Uint8Array(pixels.length / 3);
  for (let at = 0; at < indexes.length; at += 1) {
    const color = (pixels[at * 3] << 16) | (pixels[at * 3 + 1] << 8) | pixels[at * 3 + 2];
    indexes[at] = nearest.get(color);
  }
  return { colors: kept.map(hex), indexes };
}

/** Gives each connected area that is too small the color that most of its neighbors have. */
export function withoutSpecks(indexes, { width, height }, areaMin) {
  const clean = Uint8Array.from(indexes);
  const seen = new Uint8Array(clean.length);
  const areas = [];
  const neighborsOf = (at) => {
    const x = at % width;
    const around = [];
    if (x > 0) around.push(at - 1);
    if (x < width - 1) around.push(at + 1);
    if (at >= width) around.push(at - width);
    if (at < width * (height - 1)) around.push(at + width);
    return around;
  };
  for (let start = 0; start < clean.length; start += 1) {
    if (seen[start]) continue;
    seen[start] = 1;
    const area = [start];
    for (let next = 0; next < area.length; next += 1) {
      for (const at of neighborsOf(area[next])) {
        if (seen[at] || clean[at] !== clean[start]) continue;
        seen[at] = 1;
        area.push(at);
      }
    }
    if (area.length < areaMin) areas.push(area);
  }
  areas.sort((one, other) => one.length - other.length);
  for (const area of areas) {
    const inside = new Set(area);
    const counts = new Map();
    for (const at of area) {
      for (const other of neighborsOf(at)) {
        if (!inside.has(other)) counts.set(clean[other], (counts.get(clean[other]) ?? 0) + 1);
      }
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [clean[area[0]]];
    for (const at of area) clean[at] = most;
  }
  return clean;
}
