/** Layout of the requirement graph: order, spacing, and included challenges. */
import { expect, test } from "vitest";
import { drawn, linked, NODE_HEIGHT } from "./layout";

const challenge = (id: string, ...requirements: string[]) => ({
  id,
  challengeName: `Name of ${id}`,
  requirements,
});
const ALL = [
  challenge("last", "left", "right"),
  challenge("left", "first"),
  challenge("right", "first", "unknown"),
  challenge("first"),
  challenge("alone"),
];

test("challenges without requirements in either direction are omitted", () => {
  expect(linked(ALL).map(({ id }) => id)).toEqual(["last", "left", "right", "first"]);
  expect(drawn([challenge("alone")])).toMatchObject({ nodes: [], edges: [] });
});

test("requirements come before their dependents, and nothing overlaps", () => {
  const { nodes, edges, width, height } = drawn(ALL);
  const at = (id: string) => nodes.find(({ challenge }) => challenge.id === id)?.x ?? Number.NaN;
  expect(at("first")).toBeLessThan(at("left"));
  expect(at("right")).toBeLessThan(at("last"));
  expect(edges.map(({ key }) => key).toSorted()).toEqual([
    "first left",
    "first right",
    "left last",
    "right last",
  ]);
  expect(edges.every(({ points }) => points.length >= 2)).toBe(true);
  for (const [index, a] of nodes.entries()) {
    expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + NODE_HEIGHT <= height).toBe(
      true,
    );
    for (const b of nodes.slice(index + 1)) {
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x;
      expect(apart || Math.abs(a.y - b.y) >= NODE_HEIGHT).toBe(true);
    }
  }
});

test("a cycle, which the server rejects, is still drawn", () => {
  expect(drawn([challenge("a", "b"), challenge("b", "a")]).nodes).toHaveLength(2);
});
