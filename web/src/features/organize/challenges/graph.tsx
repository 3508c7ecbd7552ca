/** Requirements as a graph with links to the challenges, and as a list. */
import { useId, useMemo } from "react";
import type { ListedChallenge } from "../../../api/organize-lists";
import { useOrganizeMessages, wordFor } from "../../../messages/organize/words";
import { Empty } from "../frame/empty";
import { ViewLink } from "../frame/view";
import { drawn, LETTERS_MAX, linked, NODE_HEIGHT, type Point } from "./layout";

const pathOf = ([first, ...more]: readonly Point[]) =>
  first ? `M${first.x} ${first.y}${more.map(({ x, y }) => `L${x} ${y}`).join("")}` : "";

const shortened = (name: string) =>
  name.length > LETTERS_MAX ? `${name.slice(0, LETTERS_MAX - 1)}…` : name;

interface NodeProps extends Point {
  challenge: ListedChallenge;
  width: number;
  isOpen: boolean;
}

function Node({ challenge, width, x, y, isOpen }: NodeProps) {
  const { challenges: words } = useOrganizeMessages().pages;
  const { id, challengeName, state } = challenge;
  const word = wordFor(words.states, state);
  return (
    <ViewLink
      changes={{ open: id }}
      aria-label={`${challengeName}, ${word}`}
      aria-current={isOpen}
      className="org-node"
      data-state={state}
    >
      <rect x={x} y={y} width={width} height={NODE_HEIGHT} rx={8} />
      {/* The link has the full accessible name. */}
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing inside is focusable. */}
      <g aria-hidden="true">
        <text x={x + width / 2} y={y + 19}>
          {shortened(challengeName)}
        </text>
        <text x={x + width / 2} y={y + 36} className="org-node-state">
          {word}
        </text>
      </g>
    </ViewLink>
  );
}

interface GraphProps {
  all: readonly ListedChallenge[];
  open: string;
}

function Drawing({ all, open }: GraphProps) {
  const { challenges: words } = useOrganizeMessages().pages;
  const graph = useMemo(() => drawn(all), [all]);
  const arrow = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable for keyboard scrolling.
    <section className="org-graph" aria-label={words.graphOf} tabIndex={0}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields. */}
      <svg width={graph.width} height={graph.height} role="group" aria-label={words.graph}>
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" className="org-arrow" />
          </marker>
        </defs>
        {graph.edges.map(({ key, points }) => (
          <path key={key} d={pathOf(points)} className="org-edge" markerEnd={`url(#${arrow})`} />
        ))}
        {graph.nodes.map((node) => (
          <Node key={node.challenge.id} {...node} isOpen={node.challenge.id === open} />
        ))}
      </svg>
    </section>
  );
}

export default function Requirements({ all, open }: GraphProps) {
  const { challenges: words } = useOrganizeMessages().pages;
  const shown = linked(all);
  const nameOf = (id: string) => all.find((one) => one.id === id)?.challengeName ?? id;
  if (shown.length === 0) {
    return <Empty title={words.noRequirements} note={words.noRequirementsNote} />;
  }
  return (
    <>
      <Drawing all={all} open={open} />
      <h2>{words.graphInWords}</h2>
      <ul className="org-stream">
        {shown
          .filter(({ requirements }) => requirements?.length)
          .map(({ id, challengeName, requirements }) => (
            <li key={id}>
              <ViewLink data-row data-id={id} changes={{ open: id }} aria-current={id === open}>
                <bdi>{challengeName}</bdi>
              </ViewLink>{" "}
              {words.requires((requirements ?? []).map(nameOf).join(", "))}
            </li>
          ))}
      </ul>
    </>
  );
}
