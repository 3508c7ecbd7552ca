/** Layout of the requirement graph; required challenges come first. */
import { Graph, layout } from "@dagrejs/dagre";
import type { ListedChallenge } from "../../../api/organize-lists";

type Required = Pick<ListedChallenge, "id" | "challengeName" | "requirements">;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Node height in pixels. The width follows the name, assuming wide letters. */
export const NODE_HEIGHT = 44;
const LETTER_WIDTH = 9;
const SIDES = 28;
export const LETTERS_MAX = 26;
const LETTERS_MIN = 8;

/** Challenges that have or are a requirement. */
export function linked<T extends Required>(all: readonly T[]): readonly T[] {
  const required = new Set(all.flatMap(({ requirements }) => requirements ?? []));
  return all.filter(({ id, requirements }) => requirements?.length || required.has(id));
}

/** Lays out the graph from left to right. Requirements missing from the list are skipped. */
export function drawn<T extends Required>(all: readonly T[]) {
  const shown = linked(all);
  const known = new Set(shown.map(({ id }) => id));
  const graph = new Graph<object, { width: number; height: number } & Partial<Point>, object>();
  graph.setGraph({ rankdir: "LR", nodesep: 16, ranksep: 56, marginx: 4, marginy: 4 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, challengeName } of shown) {
    const letters = Math.max(LETTERS_MIN, Math.min(LETTERS_MAX, challengeName.length));
    graph.setNode(id, { width: letters * LETTER_WIDTH + SIDES, height: NODE_HEIGHT });
  }
  for (const { id, requirements } of shown) {
    for (const wanted of requirements ?? []) if (known.has(wanted)) graph.setEdge(wanted, id);
  }
  layout(graph);
  const nodes = shown.map((challenge) => {
    const { x = 0, y = 0, width } = graph.node(challenge.id);
    return { challenge, width, x: x - width / 2, y: y - NODE_HEIGHT / 2 };
  });
  const edges = graph.edges().map((edge) => {
    const { points = [] }: { points?: readonly Point[] } = graph.edge(edge);
    return { key: `${edge.v} ${edge.w}`, points };
  });
  const far = (of: (node: (typeof nodes)[number]) => number) => Math.max(0, ...nodes.map(of)) + 4;
  return {
    width: far(({ x, width }) => x + width),
    height: far(({ y }) => y + NODE_HEIGHT),
    /** Nodes with their upper left corners. */
    nodes,
    /** Edges from requirement to dependent challenge. */
    edges,
  };
}
